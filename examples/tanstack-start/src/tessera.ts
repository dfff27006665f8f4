import { ClientApp } from '@tessera/react';
import { redirectMethod } from '@tessera/react/tanstack-router';

/** The app of the components. VITE_TESSERA_API_URL, _PROJECT_ID and _PUBLISHABLE_CLIENT_KEY are in .env.local. */
export const tessera = new ClientApp({ tokenStore: 'cookie', redirectMethod: redirectMethod() });
