import { serve } from '@hono/node-server';
import { ServerApp } from '@tessera/client';
import { Hono } from 'hono';
import { createMiddleware } from 'hono/factory';

// Set TESSERA_API_URL, TESSERA_PROJECT_ID, TESSERA_PUBLISHABLE_CLIENT_KEY and TESSERA_SECRET_SERVER_KEY.
const tessera = new ServerApp({ tokenStore: null });

/** Lets signed-in users through. The front end sends `await user.getAuthHeaders()` with its requests. */
const signedIn = createMiddleware(async (context, next) => {
  const session = await tessera.authenticate(context.req.raw);
  for (const cookie of session.setCookie) context.header('set-cookie', cookie, { append: true });
  if (session.status === 'signed-out') return context.json({ error: 'Please sign in.' }, 401);
  context.set('session', session);
  return next();
});

const app = new Hono();

/** Answered without a request to Tessera. */
app.get('/api/me', signedIn, context => context.json({ id: context.get('session').userId }));

/** A counter that only this server writes. The browser can read it but not change it. */
app.post('/api/visits', signedIn, async context => {
  const user = await context.get('session').getUser();
  // The session ended after its token was issued.
  if (user === null) return context.json({ error: 'Please sign in.' }, 401);
  const visits = (user.clientReadOnlyMetadata?.visits ?? 0) + 1;
  await user.update({ clientReadOnlyMetadata: { ...user.clientReadOnlyMetadata, visits } });
  return context.json({ visits });
});

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 3001) }, ({ port }) => {
  console.log(`Listening on http://localhost:${port}`);
});
