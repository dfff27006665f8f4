import { ServerApp } from '@tessera/client';
import Fastify from 'fastify';

// Set TESSERA_API_URL, TESSERA_PROJECT_ID, TESSERA_PUBLISHABLE_CLIENT_KEY and TESSERA_SECRET_SERVER_KEY.
const tessera = new ServerApp({ tokenStore: null });
const app = Fastify();

app.decorateRequest('session', null);

/** Lets signed-in users through. The front end sends `await user.getAuthHeaders()` with its requests. */
async function signedIn(request, reply) {
  const session = await tessera.authenticate(request);
  for (const cookie of session.setCookie) reply.header('set-cookie', cookie);
  if (session.status === 'signed-out') return reply.code(401).send({ error: 'Please sign in.' });
  request.session = session;
}

/** Answered without a request to Tessera. */
app.get('/api/me', { preHandler: signedIn }, async ({ session }) => ({ id: session.userId }));

/** A counter that only this server writes. The browser can read it but not change it. */
app.post('/api/visits', { preHandler: signedIn }, async ({ session }, reply) => {
  const user = await session.getUser();
  // The session ended after its token was issued.
  if (user === null) return reply.code(401).send({ error: 'Please sign in.' });
  const visits = (user.clientReadOnlyMetadata?.visits ?? 0) + 1;
  await user.update({ clientReadOnlyMetadata: { ...user.clientReadOnlyMetadata, visits } });
  return { visits };
});

const address = await app.listen({ port: Number(process.env.PORT ?? 3001) });
console.log(`Listening on ${address}`);
