import { Link } from '@tanstack/react-router';
import { buttonClass, classNames } from '@tessera/ui';
import { ExternalLink } from 'lucide-react';
import { PageHeader } from '../../components/page/page-header.tsx';
import { apiBaseUrl } from '../../config.ts';
import { useProject } from '../../data/owner.tsx';
import { rootRoute } from '../../routes/root.tsx';
import { words } from './words.ts';

const views = [
  ['/projects/$projectId/emails', words.log],
  ['/projects/$projectId/emails/waiting', words.waiting.title],
  ['/projects/$projectId/emails/templates', words.templates],
  ['/projects/$projectId/emails/messages', words.messages],
  ['/projects/$projectId/emails/server', words.settings],
] as const;

/** The title and the views of the emails of a project. In development it links to the caught emails. */
export function EmailsHeader() {
  const project = useProject();
  const { config } = rootRoute.useRouteContext();
  const catcher = config.mode === 'development' && (
    <a
      href={`${apiBaseUrl(config, window.location.origin)}/dev/mail`}
      target="_blank"
      rel="noreferrer"
      className={buttonClass({ variant: 'secondary' })}
    >
      <ExternalLink aria-hidden size={16} />
      {words.catcher}
    </a>
  );
  return (
    <>
      <PageHeader title={words.title} description={words.description} actions={catcher} />
      <nav aria-label={words.views} className="tss:flex tss:gap-1 tss:overflow-x-auto tss:border-b tss:border-border">
        {views.map(([to, label]) => (
          <Link
            key={to}
            to={to}
            params={{ projectId: project.id }}
            activeOptions={{ exact: true, includeSearch: false }}
            className={classNames(
              'tss:flex tss:min-h-11 tss:items-center tss:border-b-2 tss:border-transparent tss:px-3 tss:text-sm tss:font-medium tss:whitespace-nowrap tss:text-muted-foreground',
              'tss:aria-[current=page]:border-primary tss:aria-[current=page]:text-foreground',
            )}
          >
            {label}
          </Link>
        ))}
      </nav>
    </>
  );
}
