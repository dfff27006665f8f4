import type { ProjectRole } from '@tessera/client';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type OwnedProject, ProjectProvider } from '../owner.tsx';
import { useDocumentTitle } from './document-title.ts';

beforeEach(() => vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true));
afterEach(() => vi.unstubAllGlobals());

function Page() {
  useDocumentTitle('Users');
  return null;
}

function OfProject({ displayName }: { readonly displayName: string }) {
  const role: ProjectRole = 'owner';
  return (
    <ProjectProvider project={{ displayName } as Partial<OwnedProject> as OwnedProject} role={role}>
      <Page />
    </ProjectProvider>
  );
}

test('the title of the window names the page and its project, and follows a new name of the project', () => {
  const root = createRoot(document.createElement('div'));
  act(() => root.render(<OfProject displayName="Demo" />));
  expect(document.title).toBe('Users · Demo · Tessera');
  act(() => root.render(<OfProject displayName="Lighthouse" />));
  expect(document.title).toBe('Users · Lighthouse · Tessera');
  act(() => root.render(<Page />));
  expect(document.title).toBe('Users · Tessera');
  act(() => root.unmount());
});
