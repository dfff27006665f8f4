import { ServerApp } from '@tessera/client';

/** The app of the server functions. TESSERA_SECRET_SERVER_KEY is in .env.local. */
export const tessera = new ServerApp({ tokenStore: null });
