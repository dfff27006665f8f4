import type { Telemetry, TelemetryOptions, TelemetrySettings } from './telemetry';

/** Loads the exporter only when a collector is set, so that it costs nothing without one. */
export async function openTelemetry(
  settings: TelemetrySettings | undefined,
  options: Omit<TelemetryOptions, 'settings'>,
): Promise<Telemetry | undefined> {
  if (settings === undefined) return undefined;
  const { createExporter } = await import('./exporter.ts');
  return createExporter({ ...options, settings });
}
