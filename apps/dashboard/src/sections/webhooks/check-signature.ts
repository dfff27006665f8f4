/** A request as a receiver got it. */
export interface ReceivedRequest {
  readonly id: string;
  /** Seconds since 1970, as text. */
  readonly timestamp: string;
  /** Signatures, separated by spaces, each `v1,` and base64. */
  readonly signature: string;
  readonly body: string;
}

export type SignatureVerdict = 'valid' | 'old' | 'mismatch' | 'malformed' | 'unavailable';

/** What the libraries of Svix and of Standard Webhooks tolerate. */
const toleranceMs = 5 * 60_000;

/** Checks the signature of a request as the libraries of the Standard Webhooks specification do. */
export async function checkSignature(
  { id, timestamp, signature, body }: ReceivedRequest,
  secret: string,
  now: Date = new Date(),
): Promise<SignatureVerdict> {
  const signatures = signature.trim().split(/\s+/);
  const isComplete = id.trim() !== '' && /^\d{1,12}$/.test(timestamp.trim()) && signatures[0]?.startsWith('v1,');
  if (!isComplete) return 'malformed';
  // Browsers offer it to secure contexts only.
  if (globalThis.crypto.subtle === undefined) return 'unavailable';
  const expected = await sign(`${id.trim()}.${timestamp.trim()}.${body}`, secret);
  if (!signatures.includes(`v1,${expected}`)) return 'mismatch';
  const age = Math.abs(now.getTime() - Number(timestamp) * 1000);
  return age > toleranceMs ? 'old' : 'valid';
}

async function sign(text: string, secret: string): Promise<string> {
  const bytes = Uint8Array.from(atob(secret.replace(/^whsec_/, '')), letter => letter.charCodeAt(0));
  const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const signature = await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(signature)));
}
