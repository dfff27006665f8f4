import { ServerApp } from '@tessera/client';
import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';

/** Which project, and where its server is, stands in .env.local. */
export const tessera = new ServerApp({ tokenStore: 'nextjs-cookie', nextjs: { cookies, headers, redirect } });
