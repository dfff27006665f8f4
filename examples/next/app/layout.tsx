import { TesseraProvider } from '@tessera/react/next';
import type { Metadata } from 'next';
import { tessera } from '@/tessera';
import '@tessera/react/styles.css';

export const metadata: Metadata = {
  title: 'Tessera and Next.js',
  description: 'Sign-in with Tessera in the App Router',
};

export default function RootLayout({ children }: LayoutProps<'/'>) {
  return (
    <html lang="en">
      <body>
        <TesseraProvider app={tessera}>{children}</TesseraProvider>
      </body>
    </html>
  );
}
