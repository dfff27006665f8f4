import { Failure } from './failure.ts';

const patienceMs = 5_000;

/** What stands between a request and its answer, in a word. */
export function whyUnreachable(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${patienceMs / 1000} s`;
  const cause = error instanceof Error ? error.cause : undefined;
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause;
  const code = inner instanceof Error && 'code' in inner ? String(inner.code) : '';
  return words[code] ?? (inner instanceof Error ? inner.message : String(error));
}

const words: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the host name cannot be looked up at the moment',
  ECONNRESET: 'the connection was cut',
  UND_ERR_SOCKET: 'the connection was cut',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

/** A request with an end to our patience. */
export function ask(url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...init, signal: AbortSignal.timeout(patienceMs) });
}

/** Asked before a command begins: the SDK would go on trying for a while before it says so. */
export async function assertReachable(apiUrl: string): Promise<void> {
  const answer = await ask(`${apiUrl}/health`).catch((error: unknown) => {
    throw new Failure(
      `No server can be reached at ${apiUrl}: ${whyUnreachable(error)}. Start it, or correct --api-url (TESSERA_API_URL).`,
    );
  });
  await answer.body?.cancel();
  if (answer.ok) return;
  throw new Failure(
    `What answers at ${apiUrl} is not a healthy Tessera (status ${answer.status}). \`tessera doctor\` looks closer.`,
  );
}
