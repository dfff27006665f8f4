import { useNavigate } from '@tanstack/react-router';
import { messageUsersMax } from '@tessera/client/internals';
import {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuItem,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
} from '@tessera/ui';
import { BadgeCheck, Download, LogOut, Send, UserCheck } from 'lucide-react';
import { useState } from 'react';
import type { LoadedMenuProps } from '../../../components/lazy-menu.tsx';
import { useOwner, useProject, useRole } from '../../../data/owner.tsx';
import { words as common } from '../../../words.ts';
import type { ExportFormat } from '../export/export-users.ts';
import { ChangeSelectedDialog } from './change-selected-dialog.tsx';
import { actionWords as words } from './selection-action-words.ts';
import { type SelectionAction, selectionActions, withoutOwn } from './selection-actions.ts';
import { useSelectionInBar } from './selection-context.ts';

/** What can be done with the selected users besides suspension and deletion. A viewer can only export them. */
export default function SelectionMenu({ defaultOpen, trigger }: LoadedMenuProps) {
  const { selection, suspendedIds, onDone } = useSelectionInBar();
  const project = useProject();
  const navigate = useNavigate();
  const isViewer = useRole() === 'viewer';
  const [asked, setAsked] = useState<SelectionAction>();
  const { ids } = selection;
  const others = withoutOwn(selection, useOwner().id);
  const changed = { verify: selection, endSessions: others, endSuspension: { ...selection, ids: suspendedIds } };
  const change = (isDisabled: boolean) =>
    isViewer ? { disabled: true, title: common.viewer.reason } : { disabled: isDisabled };
  const isTooMany = ids.length > messageUsersMax;

  function write() {
    void navigate({
      to: '/projects/$projectId/emails/messages/new',
      params: { projectId: project.id },
      state: { messageUserIds: ids },
    });
  }

  async function exportAs(format: ExportFormat) {
    const { exportSelected } = await import('../export/export-selected.ts');
    await exportSelected(project, selection, format);
  }

  return (
    <>
      <DropdownMenu modal={false} defaultOpen={defaultOpen}>
        <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
        <DropdownMenuContent side="top">
          <DropdownMenuItem {...change(isTooMany)} onSelect={write}>
            <Send aria-hidden />
            {isTooMany ? words.writeLimit(messageUsersMax) : words.write}
          </DropdownMenuItem>
          <DropdownMenuItem {...change(false)} onSelect={() => setAsked('verify')}>
            <BadgeCheck aria-hidden />
            {words.verify.label}
          </DropdownMenuItem>
          <DropdownMenuItem {...change(others.ids.length === 0)} onSelect={() => setAsked('endSessions')}>
            <LogOut aria-hidden />
            {words.endSessions.label}
          </DropdownMenuItem>
          <DropdownMenuItem {...change(suspendedIds.length === 0)} onSelect={() => setAsked('endSuspension')}>
            <UserCheck aria-hidden />
            {words.endSuspension.label}
          </DropdownMenuItem>
          <DropdownMenuSeparator />
          {(['csv', 'lines'] as const).map(format => (
            <DropdownMenuItem key={format} onSelect={() => void exportAs(format)}>
              <Download aria-hidden />
              {words[format]}
            </DropdownMenuItem>
          ))}
        </DropdownMenuContent>
      </DropdownMenu>
      {asked !== undefined && (
        <ChangeSelectedDialog
          selection={changed[asked]}
          asked={selectionActions[asked]}
          note={asked === 'endSessions' && others.ids.length < ids.length ? words.ownSessionsStay : undefined}
          onDone={onDone}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  );
}
