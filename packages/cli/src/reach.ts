import { Failure } from './failure.ts';

const patienceMs = 5_000;

/** The reason for a failed request, in a few words. */
export function whyUnreachable(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no response within ${patienceMs / 1000} s`;
  const cause = error instanceof Error ? error.cause : undefined;
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause;
  const code = inner instanceof Error && 'code' in inner ? String(inner.code) : '';
  return words[code] ?? (inner instanceof Error ? inner.message : String(error));
}

const words: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name cannot be resolved at the moment',
  ECONNRESET: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate cannot be verified',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};

/** A request with a timeout. */
export function fetchWithTimeout(url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...init, signal: AbortSignal.timeout(patienceMs) });
}

/** Whether a server answered `/health`, and not a proxy or another program. Reads the body. */
export async function isHealthAnswer(answer: Response): Promise<boolean> {
  const body: unknown = await answer.json().catch(() => undefined);
  return answer.ok && Object(body).status === 'ok';
}

/** Fails fast before a command begins: the SDK would retry for a while first, and send its keys to any program. */
export async function assertReachable(apiUrl: string): Promise<void> {
  const answer = await fetchWithTimeout(`${apiUrl}/health`).catch((error: unknown) => {
    throw new Failure(
      `Cannot connect to a server at ${apiUrl}: ${whyUnreachable(error)}. Start it, or correct --api-url (TESSERA_API_URL).`,
    );
  });
  if (await isHealthAnswer(answer)) return;
  throw new Failure(
    `The server at ${apiUrl} is not a healthy Tessera server (status ${answer.status}). Run \`tessera doctor\` for details.`,
  );
}
