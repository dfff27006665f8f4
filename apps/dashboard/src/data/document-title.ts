import { useEffect } from 'react';
import { words } from '../words.ts';

/** Sets the title of the window while a page is shown. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} · ${words.product}`;
  }, [title]);
}
