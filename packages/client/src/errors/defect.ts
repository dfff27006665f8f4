/** An error for a state that must not occur: a defect of the SDK, the server or the configuration. */
export function defect(message: string, cause?: unknown): Error {
  return new Error(`${message} This is a defect, please report it.`, cause === undefined ? undefined : { cause });
}
