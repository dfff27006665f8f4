import { exportJWK, generateKeyPair, SignJWT } from 'jose';

const ids = { user: '3241a285-8329-4d69-8f3d-316e08cf140c', session: '9c1d1f0e-7d5e-4b43-9a1c-0a5a4f6f2a11' };

/** A key pair that signs tokens as the server does. */
export async function createSigner(kid: string, projectId = 'p1') {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), alg: 'ES256', kid };

  function sign(payload: object, header: object = {}): Promise<string> {
    return new SignJWT({ ...payload }).setProtectedHeader({ alg: 'ES256', kid, ...header }).sign(privateKey);
  }

  const claims = (lifeMs: number) => ({
    iss: `https://auth.example/api/v1/projects/${projectId}`,
    aud: projectId,
    sub: ids.user,
    iat: Math.floor(Date.now() / 1000),
    exp: Math.floor((Date.now() + lifeMs) / 1000),
    branchId: 'main',
    refreshTokenId: ids.session,
    role: 'authenticated',
  });

  return {
    jwk,
    sign,
    ids,
    token: (changes: object = {}, lifeMs = 600_000) => sign({ ...claims(lifeMs), ...changes }),
    feed: (sessionIds: readonly string[], changes: object = {}, typ = 'ended-sessions+jwt') =>
      sign(
        {
          iss: `https://auth.example/api/v1/projects/${projectId}/ended-sessions`,
          aud: projectId,
          iat: Math.floor(Date.now() / 1000),
          cursor: '1:1:',
          is_complete: true,
          keep_millis: 660_000,
          session_ids: sessionIds,
          ...changes,
        },
        { typ },
      ),
  };
}

export type Signer = Awaited<ReturnType<typeof createSigner>>;
