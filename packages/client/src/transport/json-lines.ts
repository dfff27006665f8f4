import { isNetworkFailure } from './network-error.ts';
import { RequestError } from './request-error.ts';

/**
 * The lines of a body with text, as they arrive. Leaving the loop cancels the request.
 *
 * @throws RequestError `unreachable` when the connection breaks inside the body. Lines have been read, so it is not repeated.
 */
export async function* linesOf({ body }: Response): AsyncGenerator<string> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      const lines = (rest + chunk.value).split('\n');
      rest = lines.pop() ?? '';
      yield* lines.filter(line => line !== '');
    }
    if (rest !== '') yield rest;
  } catch (error) {
    if (!isNetworkFailure(error)) throw error;
    throw new RequestError('unreachable', 'The connection broke inside the response.', { cause: error });
  } finally {
    // After an error this rejects with the same error.
    await reader.cancel().catch(() => undefined);
  }
}
