import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { Badge, Skeleton } from '@tessera/ui';
import { ChevronRight } from 'lucide-react';
import { Problem } from '../../../components/page/problem.tsx';
import { useProject } from '../../../data/owner.tsx';
import { EmailsHeader } from '../emails-header.tsx';
import { type Template, templatesQuery } from '../queries.ts';
import { words as emailWords } from '../words.ts';
import { words } from './words.ts';

export const route = createLazyRoute('/owner/projects/$projectId/emails/templates')({ component: TemplateList });

function TemplateList() {
  const query = useQuery(templatesQuery(useProject()));
  return (
    <>
      <EmailsHeader />
      <p className="tss:text-sm tss:text-muted-foreground">{words.hint}</p>
      {query.isPending && <Skeleton className="tss:h-90" />}
      {query.isLoadingError && <Problem error={query.error} retry={query.refetch} />}
      {query.data && (
        <ul
          aria-label={emailWords.templates}
          className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:overflow-hidden tss:rounded-xl tss:border tss:border-border tss:bg-card"
        >
          {query.data.map(template => (
            <TemplateRow key={template.type} template={template} />
          ))}
        </ul>
      )}
    </>
  );
}

function TemplateRow({ template: { type, subject, isDefault } }: { readonly template: Template }) {
  const { id: projectId } = useProject();
  return (
    <li className="tss:relative tss:flex tss:min-h-18 tss:items-center tss:gap-4 tss:border-t tss:border-border tss:px-4 tss:py-3 tss:first:border-t-0 tss:hover:bg-accent">
      <span className="tss:grid tss:min-w-0 tss:flex-1">
        <Link
          to="/projects/$projectId/emails/templates/$type"
          params={{ projectId, type }}
          className="tss:font-medium tss:after:absolute tss:after:inset-0 tss:after:content-['']"
        >
          {words.type[type]}
        </Link>
        <span className="tss:line-clamp-1 tss:break-all tss:text-sm tss:text-muted-foreground">{subject}</span>
        <span className="tss:text-xs tss:text-muted-foreground">{words.about[type]}</span>
      </span>
      <Badge tone={isDefault ? 'neutral' : 'primary'}>{isDefault ? words.builtIn : words.changed}</Badge>
      <ChevronRight aria-hidden size={16} className="tss:text-muted-foreground" />
    </li>
  );
}
