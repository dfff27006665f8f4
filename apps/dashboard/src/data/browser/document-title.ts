import { useEffect } from 'react';
import { words } from '../../words.ts';
import { shownName } from '../names/shown-name.ts';
import { useProjectName } from '../owner.tsx';

/** Sets the title of the window while a page is shown. It names the project, so that tabs of two projects differ. */
export function useDocumentTitle(title: string): void {
  const project = useProjectName();
  useEffect(() => {
    document.title = shownName([title, project, words.product].filter(Boolean).join(' · '));
  }, [title, project]);
}
