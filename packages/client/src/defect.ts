/** An error that should not be possible: a fault of the SDK, of the server, or of how they were put together. */
export function defect(message: string, cause?: unknown): Error {
  return new Error(`${message} This is a defect, please report it.`, cause === undefined ? undefined : { cause });
}
