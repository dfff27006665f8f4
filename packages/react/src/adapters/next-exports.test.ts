import { expect, test, vi } from 'vitest';
import * as everything from '../index.ts';
import * as next from './next.tsx';

vi.mock('next/navigation.js', () => ({ notFound: vi.fn(), usePathname: vi.fn(), useRouter: vi.fn() }));

test('@tessera/react/next exports every component and hook of @tessera/react', () => {
  const isApp = (name: string) => name.endsWith('App') && !name.startsWith('use');
  const names = Object.keys(everything).filter(name => !isApp(name) && name !== 'stackAppInternalsSymbol');
  expect(Object.keys(next).sort()).toEqual(names.sort());
});
