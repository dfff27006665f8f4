import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { buttonClass } from '@tessera/ui';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { ConfirmDialog } from '../../../components/form/confirm-dialog.tsx';
import { LeaveGuard } from '../../../components/form/leave-guard.tsx';
import { EmptyState } from '../../../components/page/empty-state.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { useProject, useRole } from '../../../data/owner.tsx';
import { problemWords } from '../../../data/problem-words.ts';
import { rootRoute } from '../../../routes/root.tsx';
import { words as common } from '../../../words.ts';
import { addBlock, emptyContent } from '../editor/blocks.ts';
import { draftProblem, unknownVariables } from '../editor/draft-check.ts';
import { DraftNotes, Note } from '../editor/draft-notes.tsx';
import { EmailEditor } from '../editor/email-editor.tsx';
import { useDraft } from '../editor/use-draft.ts';
import { words as editorWords } from '../editor/words.ts';
import { audienceQuery, emailsKey } from '../queries.ts';
import { composeRoute } from '../routes.ts';
import { type AudienceValues, audienceOf, firstAudience } from './audience.ts';
import { AudiencePanel, type Category } from './audience-panel.tsx';
import { BackToMessages } from './back-to-messages.tsx';
import { useSelectedUsers } from './selected-users.ts';
import { words } from './words.ts';

export const route = createLazyRoute('/owner/projects/$projectId/emails/messages/new')({ component: ComposePage });

const variables = ['userDisplayName', 'projectDisplayName'];
const firstDraft = { subject: '', content: addBlock(addBlock(emptyContent, 'Heading', 0), 'Text', 1) };

function ComposePage() {
  return useRole() === 'viewer' ? <NotForViewers /> : <Compose />;
}

/** A viewer reads no emails: the editor would be a page of refused requests. */
function NotForViewers() {
  return (
    <>
      <BackToMessages />
      <EmptyState heading="h1" title={common.viewer.hidden} icon={<Send aria-hidden />}>
        {common.viewer.notice}
      </EmptyState>
    </>
  );
}

function Compose() {
  const project = useProject();
  const { user, team } = composeRoute.useSearch();
  const state = useDraft(firstDraft);
  const { draft } = state;
  const [category, setCategory] = useState<Category>('Marketing');
  const selected = useSelectedUsers();
  const [first] = useState(() => firstAudience({ user, team, selected }));
  const [values, setValues] = useState<AudienceValues>(first);

  return (
    <>
      <LeaveGuard isChanged={() => draft !== firstDraft || values !== first} />
      <BackToMessages />
      <PageHeader
        title={words.newTitle}
        description={words.newDescription}
        actions={<SendButton draft={{ ...draft, notificationCategoryName: category }} values={values} />}
      />
      <NeedsServer />
      <AudiencePanel
        values={values}
        category={category}
        onCategory={setCategory}
        onChange={changes => setValues(known => ({ ...known, ...changes }))}
      />
      <DraftNotes draft={draft} variables={variables} needed={[]} />
      <EmailEditor
        state={state}
        variables={variables}
        hasColors={false}
        previewKey={[...emailsKey(project), 'preview', 'message', category]}
        render={({ subject, content }) =>
          project.app.previewMessage({ subject, content, notificationCategoryName: category })
        }
      />
    </>
  );
}

/** In development the installation's server takes messages too: they go to the mail catcher. */
function NeedsServer() {
  const { id: projectId, config } = useProject();
  const { config: page } = rootRoute.useRouteContext();
  if (config.emailConfig.type !== 'shared' || page.mode === 'development') return null;
  return (
    <Note>
      {words.shared}{' '}
      <Link to="/projects/$projectId/emails/server" params={{ projectId }} className={buttonClass({ variant: 'link' })}>
        {words.openServer}
      </Link>
    </Note>
  );
}

interface SendButtonProps {
  readonly draft: Parameters<ReturnType<typeof useProject>['app']['previewMessage']>[0] & {
    readonly content: typeof emptyContent;
  };
  readonly values: AudienceValues;
}

/** Asks for the number of users before the message is sent. */
function SendButton({ draft, values }: SendButtonProps) {
  const project = useProject();
  const cache = useQueryClient();
  const navigate = composeRoute.useNavigate();
  const audience = audienceOf(values);
  const { data: count } = useQuery(audienceQuery(project, audience, draft.notificationCategoryName));
  const [isAsking, setAsking] = useState(false);
  const reachable = count?.reachable ?? 0;
  const unknown = unknownVariables(draft, variables);

  async function ask() {
    const problem = draftProblem(draft);
    if (problem !== undefined) return toast.error(editorWords.problem[problem]);
    try {
      // Shows a refusal of the server before the user confirms.
      await project.app.previewMessage(draft);
      setAsking(true);
    } catch (error) {
      toast.error(problemWords(error));
    }
  }

  async function send() {
    if (audience === undefined) return;
    const message = await project.app.sendMessage({ ...draft, audience, expectedRecipients: reachable });
    toast.success(words.started);
    await cache.invalidateQueries({ queryKey: emailsKey(project) });
    // Replaced: "back" would lead to an empty draft to the same users.
    await navigate({
      replace: true,
      ignoreBlocker: true,
      to: '/projects/$projectId/emails/messages/$messageId',
      params: { projectId: project.id, messageId: message.id },
    });
  }

  return (
    <>
      <ChangeButton disabled={reachable === 0 || audience === undefined} onClick={() => void ask()}>
        <Send aria-hidden size={16} />
        {reachable === 0 ? words.send : words.sendTo(reachable)}
      </ChangeButton>
      {isAsking && (
        <ConfirmDialog
          title={words.confirmTitle(reachable)}
          confirmLabel={words.sendTo(reachable)}
          typedText={String(reachable)}
          onConfirm={send}
          onClose={() => setAsking(false)}
        >
          <p>{words.confirmText}</p>
          {unknown.length > 0 && <Note>{editorWords.unknownVariables(unknown)}</Note>}
        </ConfirmDialog>
      )}
    </>
  );
}
