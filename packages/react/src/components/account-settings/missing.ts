import { RequestError } from '@tessera/client';

/** Whether a read failed because the server does not have its endpoint: an extension, on a server of another product. */
export function isMissing(error: unknown): boolean {
  return error instanceof RequestError && error.status === 404;
}
