import { proxy } from '@tessera/react/next/server';
import { tessera } from '@/tessera';

/** Refreshes the access token before a page is rendered, and redirects other visitors to the sign-in page. */
export default proxy(tessera, { protect: ['/account/*'] });

export const config = { matcher: ['/((?!_next/static|_next/image|favicon.ico).*)'] };
