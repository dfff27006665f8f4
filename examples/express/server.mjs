import { ServerApp } from '@tessera/client';
import express from 'express';

// Set TESSERA_API_URL, TESSERA_PROJECT_ID, TESSERA_PUBLISHABLE_CLIENT_KEY and TESSERA_SECRET_SERVER_KEY.
const tessera = new ServerApp({ tokenStore: null });
const app = express();

app.use(express.json());

/** The signed-in user: the front end sends `await user.getAuthHeaders()` with its requests. */
async function signedIn(request, response, next) {
  request.user = await tessera.getUser({ tokenStore: request });
  if (request.user === null) return response.status(401).json({ error: 'Please sign in.' });
  next();
}

app.get('/api/me', signedIn, ({ user }, response) => {
  response.json({ id: user.id, email: user.primaryEmail, name: user.displayName });
});

/** A counter that only this server writes. The browser can read it but not change it. */
app.post('/api/visits', signedIn, async ({ user }, response) => {
  const visits = (user.clientReadOnlyMetadata?.visits ?? 0) + 1;
  await user.update({ clientReadOnlyMetadata: { ...user.clientReadOnlyMetadata, visits } });
  response.json({ visits });
});

const server = app.listen(process.env.PORT ?? 3001, () => {
  console.log(`Listening on http://localhost:${server.address().port}`);
});
