import { useQuery } from '@tanstack/react-query';
import { Badge } from '@tessera/ui';
import { useState } from 'react';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { Panel } from '../../../components/page/panel.tsx';
import { PanelList } from '../../../components/page/panel-list.tsx';
import { useProject } from '../../../data/owner.tsx';
import { permissionsQuery, type User } from '../queries.ts';
import { words } from '../words.ts';
import { ProjectGrants } from './project-grants.tsx';

/** What a user may do in the project and in each team, and why. */
export function PermissionsPanel({ user }: { readonly user: User }) {
  const query = useQuery(permissionsQuery(useProject(), user));
  const [isChanging, setChanging] = useState(false);
  return (
    <Panel
      title={words.detail.permissions}
      description={words.detail.permissionsHint}
      actions={
        <ChangeButton size="sm" variant="secondary" onClick={() => setChanging(true)}>
          {words.grants.change}
        </ChangeButton>
      }
    >
      <PanelList
        query={query}
        itemKey={({ place, id }) => `${place?.id ?? ''} ${id}`}
        empty={words.detail.noPermissions}
      >
        {({ id, through, place }) => (
          <>
            <span className="tss:flex tss:min-w-0 tss:flex-1 tss:flex-wrap tss:gap-x-3">
              <code className="tss:font-mono tss:text-xs tss:font-medium tss:wrap-anywhere">{id}</code>
              <span className="tss:text-xs tss:text-muted-foreground tss:wrap-anywhere">
                {through.length === 0 ? words.detail.direct : words.detail.through(through.join(' → '))}
              </span>
            </span>
            <Badge>{place?.displayName ?? words.detail.wholeProject}</Badge>
          </>
        )}
      </PanelList>
      {isChanging && <ProjectGrants user={user} onClose={() => setChanging(false)} />}
    </Panel>
  );
}
