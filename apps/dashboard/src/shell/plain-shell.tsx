import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { words } from '../words.ts';
import { AccountButton } from './account-button.tsx';
import { ConnectionBanner } from './connection-banner.tsx';

/** The frame of pages outside of a project. */
export function PlainShell({ children }: { readonly children: ReactNode }) {
  return (
    <div className="tss:grid tss:grid-cols-[minmax(0,1fr)]">
      <div className="tss:sticky tss:top-0 tss:z-20">
        <ConnectionBanner />
      </div>
      <header className="tss:border-b tss:border-border tss:bg-card">
        <div className="tss:mx-auto tss:flex tss:max-w-[64rem] tss:items-center tss:justify-between tss:gap-4 tss:px-4 tss:py-2">
          <Link to="/" className="tss:font-semibold tss:tracking-tight">
            {words.product}
          </Link>
          <AccountButton />
        </div>
      </header>
      <main className="tss:mx-auto tss:grid tss:w-full tss:max-w-[64rem] tss:grid-cols-[minmax(0,1fr)] tss:gap-6 tss:p-4 tss:md:py-8">
        {children}
      </main>
    </div>
  );
}
