import { ServerApp } from '@tessera/client';
import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { connection } from 'next/server';

/** .env.local has the project id and the address of the server. */
export const tessera = new ServerApp({
  tokenStore: 'nextjs-cookie',
  nextjs: { cookies, headers, redirect, connection },
});
