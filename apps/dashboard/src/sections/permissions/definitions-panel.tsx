import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Skeleton } from '@tessera/ui';
import { Plus } from 'lucide-react';
import { useMemo, useState } from 'react';
import { toast } from 'sonner';
import { ChangeButton } from '../../components/form/change-button.tsx';
import { ConfirmDialog } from '../../components/form/confirm-dialog.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Problem } from '../../components/page/problem.tsx';
import { useProject } from '../../data/owner.tsx';
import { DefinitionForm } from './definition-form.tsx';
import { outlineOf } from './graph.ts';
import { Outline } from './outline.tsx';
import { type Definition, definitionMethods, definitionsQuery, renewPermissions, type Scope } from './queries.ts';
import { permissionsRoute } from './routes.ts';
import { filterDefinitions } from './search.ts';
import { words } from './words.ts';

type Open = { readonly dialog: 'create' } | { readonly dialog: 'edit' | 'delete'; readonly definition: Definition };

/** The definitions of a scope: as an outline of what contains what. */
export function DefinitionsPanel({ scope }: { readonly scope: Scope }) {
  const project = useProject();
  const cache = useQueryClient();
  const search = permissionsRoute.useSearch();
  const query = useQuery(definitionsQuery(project, scope));
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);

  const rows = useMemo(() => query.data && outlineOf(filterDefinitions(query.data, search)), [query.data, search]);

  async function remove({ id }: Definition) {
    await definitionMethods(project, scope).remove(id);
    // The server removes the id from the default permissions, which belong to the project.
    await Promise.all([renewPermissions(cache, project), cache.invalidateQueries({ queryKey: ['projects'] })]);
    toast.success(words.deleted(id));
  }

  const { title, hint, create } = words.scope[scope];
  return (
    <Panel
      title={title}
      description={hint}
      actions={
        <ChangeButton size="sm" variant="secondary" aria-label={create} onClick={() => setOpen({ dialog: 'create' })}>
          <Plus aria-hidden size={16} />
          {words.define}
        </ChangeButton>
      }
    >
      {query.isPending && <Skeleton className="tss:h-64" />}
      {query.isLoadingError && <Problem error={query.error} retry={query.refetch} />}
      {rows?.length === 0 && (
        <p className="tss:text-sm tss:text-muted-foreground">{search.q === undefined ? words.empty : words.noMatch}</p>
      )}
      {rows !== undefined && rows.length > 0 && (
        <Outline
          rows={rows}
          onEdit={definition => setOpen({ dialog: 'edit', definition })}
          onDelete={definition => setOpen({ dialog: 'delete', definition })}
        />
      )}
      {open?.dialog === 'create' && <DefinitionForm scope={scope} definitions={query.data ?? []} onClose={close} />}
      {open?.dialog === 'edit' && (
        <DefinitionForm scope={scope} definitions={query.data ?? []} definition={open.definition} onClose={close} />
      )}
      {open?.dialog === 'delete' && (
        <ConfirmDialog
          title={words.deleteTitle(open.definition.id)}
          confirmLabel={words.delete}
          typedText={open.definition.id}
          onConfirm={() => remove(open.definition)}
          onClose={close}
        >
          <p>{words.deleteText}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
