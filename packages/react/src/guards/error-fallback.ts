/** What the fallback of a `TesseraErrorBoundary` receives. */
export interface ErrorFallbackProps {
  /** What a component below the boundary threw. */
  readonly error: unknown;
  /** Reads failed values again, and shows the children. */
  readonly refetch: () => void;
}
