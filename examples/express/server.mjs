import { ServerApp } from '@tessera/client';
import express from 'express';

// TESSERA_API_URL, TESSERA_PROJECT_ID, TESSERA_PUBLISHABLE_CLIENT_KEY and TESSERA_SECRET_SERVER_KEY say where and who.
const tessera = new ServerApp({ tokenStore: null });
const app = express();

app.use(express.json());

/** Who is calling: the front end sends `await user.getAuthHeaders()` with its requests. */
async function signedIn(request, response, next) {
  request.user = await tessera.getUser({ tokenStore: request });
  if (request.user === null) return response.status(401).json({ error: 'Please sign in.' });
  next();
}

app.get('/api/me', signedIn, ({ user }, response) => {
  response.json({ id: user.id, email: user.primaryEmail, name: user.displayName });
});

/** A number that only this server writes: the browser can read it, and not change it. */
app.post('/api/visits', signedIn, async ({ user }, response) => {
  const visits = (user.clientReadOnlyMetadata?.visits ?? 0) + 1;
  await user.update({ clientReadOnlyMetadata: { ...user.clientReadOnlyMetadata, visits } });
  response.json({ visits });
});

const server = app.listen(process.env.PORT ?? 3001, () => {
  console.log(`Listening on http://localhost:${server.address().port}`);
});
