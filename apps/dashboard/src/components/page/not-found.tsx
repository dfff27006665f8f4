import { useDocumentTitle } from '../../data/browser/document-title.ts';
import { EmptyState, type EmptyStateProps } from './empty-state.tsx';

/** The whole content of a page whose address names nothing; its title is the h1 of the page and the title of the window. */
export function NotFound(props: Pick<EmptyStateProps, 'title' | 'children' | 'action'>) {
  useDocumentTitle(props.title);
  return <EmptyState heading="h1" {...props} />;
}
