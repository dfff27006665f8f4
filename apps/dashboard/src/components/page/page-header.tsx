import type { ReactNode } from 'react';
import { useDocumentTitle } from '../../data/browser/document-title.ts';
import { shownName } from '../../data/names/shown-name.ts';

interface PageHeaderProps {
  /** The only h1 of the page, and the title of the window. */
  readonly title: string;
  readonly description?: ReactNode;
  /** Buttons at the end of the line. */
  readonly actions?: ReactNode;
}

/** The beginning of every page. */
export function PageHeader({ title, description, actions }: PageHeaderProps) {
  useDocumentTitle(title);
  return (
    <header className="tss:flex tss:flex-wrap tss:items-start tss:justify-between tss:gap-x-6 tss:gap-y-3">
      <div className="tss:grid tss:min-w-0 tss:gap-1">
        <h1 className="tss:text-2xl tss:font-semibold tss:tracking-tight tss:line-clamp-3 tss:wrap-anywhere">
          {shownName(title)}
        </h1>
        {description && <p className="tss:max-w-160 tss:text-sm tss:text-muted-foreground">{description}</p>}
      </div>
      {actions && <div className="tss:flex tss:flex-wrap tss:gap-2">{actions}</div>}
    </header>
  );
}
