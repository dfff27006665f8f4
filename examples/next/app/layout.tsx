import { TesseraProvider } from '@tessera/react/next';
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
}
