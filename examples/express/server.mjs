import { ServerApp } from '@tessera/client';
import express from 'express';

// Set TESSERA_API_URL, TESSERA_PROJECT_ID, TESSERA_PUBLISHABLE_CLIENT_KEY and TESSERA_SECRET_SERVER_KEY.
const tessera = new ServerApp({ tokenStore: null });
const app = express();

/** Lets signed-in users through. The front end sends `await user.getAuthHeaders()` with its requests. */
async function signedIn(request, response, next) {
  const session = await tessera.authenticate(request);
  response.append('set-cookie', [...session.setCookie]);
  if (session.status === 'signed-out') return response.status(401).json({ error: 'Please sign in.' });
  request.session = session;
  next();
}

/** Answered without a request to Tessera. */
app.get('/api/me', signedIn, ({ session }, response) => {
  response.json({ id: session.userId });
});

/** A counter that only this server writes. The browser can read it but not change it. */
app.post('/api/visits', signedIn, async ({ session }, response) => {
  const user = await session.getUser();
  // The session ended after its token was issued.
  if (user === null) return response.status(401).json({ error: 'Please sign in.' });
  const visits = (user.clientReadOnlyMetadata?.visits ?? 0) + 1;
  await user.update({ clientReadOnlyMetadata: { ...user.clientReadOnlyMetadata, visits } });
  response.json({ visits });
});

const server = app.listen(process.env.PORT ?? 3001, () => {
  console.log(`Listening on http://localhost:${server.address().port}`);
});
