import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Disclosure } from '../../../components/disclosure.tsx';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { Panel } from '../../../components/page/panel.tsx';
import { PanelList } from '../../../components/page/panel-list.tsx';
import { panelStep } from '../../../components/page/show-more.tsx';
import { shownName } from '../../../data/names/shown-name.ts';
import { useProject } from '../../../data/owner.tsx';
import type { ExplainedPermission } from '../explain-permissions.ts';
import { permissionsQuery, teamsQuery, type User } from '../queries.ts';
import { detailWords } from './detail-words.ts';
import { ProjectGrants } from './project-grants.tsx';
import { ShowMoreTeams } from './teams-panel.tsx';

/** What a user may do in the project and in each team, and why. */
export function PermissionsPanel({ user }: { readonly user: User }) {
  const project = useProject();
  const { data: teams = [] } = useQuery(teamsQuery(project, user));
  const [teamCount, setTeamCount] = useState(panelStep);
  const query = useQuery(permissionsQuery(project, user, teamCount));
  const [isChanging, setChanging] = useState(false);
  return (
    <Panel
      title={detailWords.permissions}
      description={detailWords.permissionsHint}
      actions={
        <ChangeButton size="sm" variant="secondary" onClick={() => setChanging(true)}>
          {detailWords.grants.change}
        </ChangeButton>
      }
    >
      <PanelList query={query} itemKey={({ team }) => team?.id ?? ''} empty={detailWords.noPermissions}>
        {({ team, permissions }) => (
          <div className="tss:grid tss:min-w-0 tss:flex-1 tss:gap-1">
            <h3 className="tss:font-medium tss:wrap-anywhere">
              {team ? shownName(team.displayName) : detailWords.wholeProject}
            </h3>
            <Permissions permissions={permissions} />
          </div>
        )}
      </PanelList>
      <ShowMoreTeams shownCount={teamCount} teamCount={teams.length} onChange={setTeamCount} />
      {isChanging && <ProjectGrants user={user} onClose={() => setChanging(false)} />}
    </Panel>
  );
}

/** The direct grants, and on request what they contain. */
function Permissions({ permissions }: { readonly permissions: readonly ExplainedPermission[] }) {
  const direct = permissions.filter(({ through }) => through.length === 0);
  const contained = permissions.filter(({ through }) => through.length > 0);
  return (
    <>
      <p className="tss:flex tss:flex-wrap tss:gap-x-3 tss:text-xs tss:text-muted-foreground tss:wrap-anywhere">
        {direct.map(({ id }) => (
          <PermissionId key={id} id={id} />
        ))}
        {detailWords.direct}
      </p>
      {contained.length > 0 && (
        <Disclosure label={detailWords.contained(contained.length)}>
          <ul className="tss:grid tss:gap-2 tss:ps-5">
            {contained.map(({ id, through }) => (
              <li
                key={id}
                className="tss:flex tss:flex-wrap tss:gap-x-3 tss:text-xs tss:text-muted-foreground tss:wrap-anywhere"
              >
                <PermissionId id={id} />
                {detailWords.through(through.join(' → '))}
              </li>
            ))}
          </ul>
        </Disclosure>
      )}
    </>
  );
}

function PermissionId({ id }: { readonly id: string }) {
  return <code className="tss:font-mono tss:font-medium tss:text-card-foreground">{id}</code>;
}
