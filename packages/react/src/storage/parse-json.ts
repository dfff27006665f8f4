/** The properties of a JSON text that others may have written. Undefined for a text that is missing or not JSON. */
export function parseJson(text: string | null | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    return JSON.parse(text ?? '') ?? {};
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
