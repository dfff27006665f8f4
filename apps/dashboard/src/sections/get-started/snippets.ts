/** What the code of an app needs. */
export interface SnippetKeys {
  readonly apiUrl: string;
  readonly projectId: string;
  readonly publishableClientKey: string;
  readonly secretServerKey: string;
}

/** A file of an app. */
interface Snippet {
  readonly file: string;
  readonly code: string;
}

export const frameworks = ['react', 'next', 'express', 'fetch'] as const;
export type Framework = (typeof frameworks)[number];

/** The packages are not on npm yet, as the README of Tessera says. */
function installOf(...packages: readonly string[]): string {
  // Written out: the shells of Windows do not expand braces.
  const files = packages.map(name => `/path/to/tessera/packed/tessera-${name}-0.1.0.tgz`);
  return `# In the folder of Tessera, "npm run pack" creates the packages. They are not on npm yet.
npm install ${files.join(' ')}`;
}

/** The files that make sign-in work in an app, with the keys in them. */
export const snippets: Record<Framework, (keys: SnippetKeys) => readonly Snippet[]> = {
  react: keys => [
    { file: 'Terminal', code: installOf('protocol', 'client', 'react') },
    {
      file: '.env.local',
      code: `VITE_TESSERA_API_URL=${keys.apiUrl}
VITE_TESSERA_PROJECT_ID=${keys.projectId}
VITE_TESSERA_PUBLISHABLE_CLIENT_KEY=${keys.publishableClientKey}`,
    },
    {
      file: 'src/main.tsx',
      code: `import { ClientApp, TesseraBoundary, TesseraHandler, TesseraProvider, UserButton, useUser } from '@tessera/react';
import '@tessera/react/styles.css';
import { createRoot } from 'react-dom/client';

// VITE_TESSERA_API_URL, VITE_TESSERA_PROJECT_ID and VITE_TESSERA_PUBLISHABLE_CLIENT_KEY are in .env.local.
const tessera = new ClientApp({ tokenStore: 'cookie', redirectMethod: 'window' });

function App() {
  const { pathname } = window.location;
  return pathname.startsWith('/handler/') ? <TesseraHandler location={pathname} fullPage /> : <Home />;
}

function Home() {
  const user = useUser({ or: 'redirect' });
  return (
    <main>
      <UserButton />
      <h1>Hello, {user.displayName ?? user.primaryEmail}.</h1>
    </main>
  );
}

createRoot(document.getElementById('root') ?? document.body).render(
  <TesseraProvider app={tessera}>
    <TesseraBoundary fullPage>
      <App />
    </TesseraBoundary>
  </TesseraProvider>,
);`,
    },
    { file: 'Run', code: '# Open the address that it prints, and sign up.\nnpm run dev' },
  ],
  next: keys => [
    { file: 'Terminal', code: installOf('protocol', 'client', 'react') },
    {
      file: '.env.local',
      code: `NEXT_PUBLIC_TESSERA_API_URL=${keys.apiUrl}
NEXT_PUBLIC_TESSERA_PROJECT_ID=${keys.projectId}
NEXT_PUBLIC_TESSERA_PUBLISHABLE_CLIENT_KEY=${keys.publishableClientKey}
TESSERA_SECRET_SERVER_KEY=${keys.secretServerKey}`,
    },
    {
      file: 'tessera.ts',
      code: `import { ServerApp } from '@tessera/client';
import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { connection } from 'next/server';

/** .env.local has the project id and the address of the server. */
export const tessera = new ServerApp({
  tokenStore: 'nextjs-cookie',
  nextjs: { cookies, headers, redirect, connection },
});`,
    },
    {
      file: 'app/layout.tsx',
      code: `import { TesseraProvider } from '@tessera/react/next';
import type { Metadata } from 'next';
import type { ReactNode } from 'react';
import { tessera } from '../tessera';
import '@tessera/react/styles.css';

export const metadata: Metadata = { title: 'Tessera and Next.js' };

export default function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <TesseraProvider app={tessera}>{children}</TesseraProvider>
      </body>
    </html>
  );
}`,
    },
    {
      file: 'app/handler/[...path]/page.tsx',
      code: `import { TesseraHandler } from '@tessera/react/next';
import { Suspense } from 'react';

/** Sign-in, sign-up, account settings and all other pages of Tessera. */
export default function HandlerPage(props: PageProps<'/handler/[...path]'>) {
  return (
    <Suspense>
      <TesseraHandler routeProps={props} fullPage />
    </Suspense>
  );
}`,
    },
    { file: 'Run', code: '# Open http://localhost:3000/handler/sign-up.\nnpm run dev' },
  ],
  express: keys => [
    { file: 'Terminal', code: `${installOf('protocol', 'client')} express` },
    {
      file: '.env',
      code: `TESSERA_API_URL=${keys.apiUrl}
TESSERA_PROJECT_ID=${keys.projectId}
TESSERA_PUBLISHABLE_CLIENT_KEY=${keys.publishableClientKey}
TESSERA_SECRET_SERVER_KEY=${keys.secretServerKey}`,
    },
    {
      file: 'server.mjs',
      code: `import { ServerApp } from '@tessera/client';
import express from 'express';

const tessera = new ServerApp({ tokenStore: null });
const server = express();

server.get('/me', async (request, response) => {
  const user = await tessera.getUser({ tokenStore: request });
  if (user === null) return response.status(401).json({ error: 'Sign in first.' });
  response.json({ id: user.id, email: user.primaryEmail });
});

server.listen(3000);`,
    },
    {
      file: 'Run',
      code: `# http://localhost:3000/me answers 401 until a front end, such as the one of React, sends its session.
node --env-file=.env server.mjs`,
    },
  ],
  fetch: keys => [
    {
      file: 'sign-up.mjs',
      code: `const response = await fetch('${keys.apiUrl}/api/v1/auth/password/sign-up', {
  method: 'POST',
  headers: {
    'content-type': 'application/json',
    'x-stack-access-type': 'client',
    'x-stack-project-id': '${keys.projectId}',
    'x-stack-publishable-client-key': '${keys.publishableClientKey}',
  },
  body: JSON.stringify({
    email: 'ada@example.com',
    password: 'quiet lantern orbit',
    // The page of your app that the verification email leads to.
    verification_callback_url: 'http://localhost:3000/verify-email',
  }),
});
if (!response.ok) throw new Error(await response.text());
const { access_token, refresh_token, user_id } = await response.json();
console.log('Signed up as', user_id);`,
    },
    { file: 'Run', code: 'node sign-up.mjs' },
  ],
};
