/** An error for a state that must not occur: a defect of the SDK, of the server, or of the set-up. */
export function defect(message: string, cause?: unknown): Error {
  return new Error(`${message} This is a defect, please report it.`, cause === undefined ? undefined : { cause });
}
