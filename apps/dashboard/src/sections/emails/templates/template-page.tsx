import { useQuery, useQueryClient } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { useActionGuard } from '@tessera/react';
import { Badge, buttonClass } from '@tessera/ui';
import { useLayoutEffect, useRef, useState } from 'react';
import { toast } from 'sonner';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { ConfirmDialog } from '../../../components/form/confirm-dialog.tsx';
import { LeaveGuard } from '../../../components/form/leave-guard.tsx';
import { BackLink } from '../../../components/page/back-link.tsx';
import { ContentSkeleton } from '../../../components/page/content-skeleton.tsx';
import { NotFound } from '../../../components/page/not-found.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { Problem } from '../../../components/page/problem.tsx';
import { useOwner, useProject } from '../../../data/owner.tsx';
import { problemWords } from '../../../data/problem-words.ts';
import { type EmailDraft, emptyContent, readBlocks } from '../editor/blocks.ts';
import { draftProblem } from '../editor/draft-check.ts';
import { DraftNotes, Note } from '../editor/draft-notes.tsx';
import { EmailEditor } from '../editor/email-editor.tsx';
import { useDraft } from '../editor/use-draft.ts';
import { words as editorWords } from '../editor/words.ts';
import { emailsKey, type Template, templatesQuery } from '../queries.ts';
import { emailTemplateRoute } from '../routes.ts';
import { neededIn, variablesOf } from './variables.ts';
import { words } from './words.ts';

export const route = createLazyRoute('/owner/projects/$projectId/emails/templates/$type')({ component: TemplatePage });

function TemplatePage() {
  const project = useProject();
  const { type } = emailTemplateRoute.useParams();
  const query = useQuery(templatesQuery(project));
  const template = query.data?.find(one => one.type === type);
  const [resets, setResets] = useState(0);
  return (
    <>
      <BackLink to="/projects/$projectId/emails/templates" params={{ projectId: project.id }}>
        {words.back}
      </BackLink>
      {query.isPending && <ContentSkeleton />}
      {query.isLoadingError && <Problem error={query.error} retry={query.refetch} />}
      {query.data && template === undefined && <NotFound title={words.notFound}>{words.notFoundText}</NotFound>}
      {/* A key, so that the editor begins again after a reset. */}
      {template && (
        <TemplateEditor
          key={`${template.type} ${resets}`}
          template={template}
          onReset={() => setResets(count => count + 1)}
        />
      )}
    </>
  );
}

function TemplateEditor({ template, onReset }: { readonly template: Template; readonly onReset: () => void }) {
  const project = useProject();
  const cache = useQueryClient();
  const guard = useActionGuard();
  const { type, isDefault } = template;
  const [saved, setSaved] = useState<EmailDraft>(() => draftOf(template));
  // As the server stores it, which orders the fields of a block anew.
  const [opened, setOpened] = useState(template);
  const [isTaken, setTaken] = useState(false);
  const state = useDraft(saved);
  const { draft } = state;
  const isReadOnly = project.config.emailConfig.type === 'shared';
  const isChanged = draft !== saved && JSON.stringify(draft) !== JSON.stringify(saved);
  // Saving and resetting renew the page in the same moment as the draft.
  const guarded = useRef(false);
  useLayoutEffect(() => {
    guarded.current = isChanged;
  }, [isChanged]);

  const readStored = async () => {
    const templates = await cache.fetchQuery({ ...templatesQuery(project), staleTime: 0 });
    return templates.find(one => one.type === type) ?? template;
  };

  async function store() {
    await project.app.updateEmailTemplate(type, draft);
    setSaved(draft);
    toast.success(words.saved);
    setOpened(await readStored());
    await cache.invalidateQueries({ queryKey: emailsKey(project) });
  }

  async function save() {
    const problem = draftProblem(draft);
    if (problem !== undefined) return void toast.error(editorWords.problem[problem]);
    try {
      if (isSameText(await readStored(), opened)) await guard(store);
      else setTaken(true);
    } catch (error) {
      toast.error(problemWords(error));
    }
  }

  return (
    <>
      <LeaveGuard isChanged={() => guarded.current} />
      <PageHeader
        title={words.type[type]}
        description={
          <>
            {words.about[type]} <Badge tone={isChanged ? 'primary' : 'neutral'}>{badge(isChanged, isDefault)}</Badge>
          </>
        }
        actions={
          <>
            <TestButton type={type} draft={isReadOnly ? undefined : draft} />
            {!isDefault && <ResetButton type={type} onReset={onReset} />}
            {!isReadOnly && (
              <ChangeButton disabled={!isChanged} onClick={save}>
                {words.save}
              </ChangeButton>
            )}
          </>
        }
      />
      {isTaken && <ReplaceDialog onConfirm={store} onClose={() => setTaken(false)} />}
      {isReadOnly && <SharedServer />}
      {readBlocks(template.content) === undefined && (
        <p role="status" className="tss:text-sm tss:text-destructive">
          {words.unreadable}
        </p>
      )}
      <DraftNotes draft={draft} variables={variablesOf(type)} needed={neededIn(type)} />
      <EmailEditor
        state={state}
        variables={variablesOf(type)}
        hasColors
        isReadOnly={isReadOnly}
        previewKey={[...emailsKey(project), 'preview', type]}
        render={current => project.app.previewEmailTemplate(type, current)}
      />
    </>
  );
}

const badge = (isChanged: boolean, isDefault: boolean) =>
  isChanged ? words.unsaved : isDefault ? words.builtIn : words.changed;

function draftOf({ subject, content }: Template): EmailDraft {
  return { subject, content: readBlocks(content) ?? emptyContent };
}

/** Whether two reads of a template have the same text. */
function isSameText(one: Template, other: Template): boolean {
  return one.subject === other.subject && JSON.stringify(one.content) === JSON.stringify(other.content);
}

interface ReplaceDialogProps {
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks before the version of another admin is replaced. */
function ReplaceDialog({ onConfirm, onClose }: ReplaceDialogProps) {
  return (
    <ConfirmDialog title={words.takenTitle} confirmLabel={words.replace} onConfirm={onConfirm} onClose={onClose}>
      <p>{words.takenText}</p>
      <a
        href={window.location.href}
        target="_blank"
        rel="noreferrer"
        className={buttonClass({ variant: 'link' }, 'tss:justify-self-start')}
      >
        {words.openStored}
      </a>
    </ConfirmDialog>
  );
}

function SharedServer() {
  const { id: projectId } = useProject();
  return (
    <Note>
      {words.shared}{' '}
      <Link to="/projects/$projectId/emails/server" params={{ projectId }} className={buttonClass({ variant: 'link' })}>
        {words.openServer}
      </Link>
    </Note>
  );
}

interface TestButtonProps {
  readonly type: Template['type'];
  /** Undefined: the stored template. */
  readonly draft: EmailDraft | undefined;
}

/** Sends the template, saved or not, to the owner who is signed in. */
function TestButton({ type, draft }: TestButtonProps) {
  const project = useProject();
  const cache = useQueryClient();
  const { primaryEmail } = useOwner();

  async function send() {
    if (primaryEmail === null) return void toast.error(words.noAddress);
    try {
      const sent = await project.app.sendTemplateTestEmail(type, { recipientEmail: primaryEmail, ...draft });
      if (sent.status === 'ok') toast.success(words.testSent(primaryEmail));
      else toast.error(words.testFailed(sent.error.errorMessage));
      await cache.invalidateQueries({ queryKey: [...emailsKey(project), 'log'] });
    } catch (error) {
      toast.error(problemWords(error));
    }
  }

  return (
    <ChangeButton variant="secondary" onClick={send}>
      {words.test}
    </ChangeButton>
  );
}

function ResetButton({ type, onReset }: { readonly type: Template['type']; readonly onReset: () => void }) {
  const project = useProject();
  const cache = useQueryClient();
  const [isAsking, setAsking] = useState(false);

  async function reset() {
    await project.app.resetEmailTemplate(type);
    await cache.invalidateQueries({ queryKey: emailsKey(project) });
    onReset();
    toast.success(words.wasReset);
  }

  return (
    <>
      <ChangeButton variant="secondary" onClick={() => setAsking(true)}>
        {words.reset}
      </ChangeButton>
      {isAsking && (
        <ConfirmDialog
          title={words.resetTitle}
          confirmLabel={words.reset}
          onConfirm={reset}
          onClose={() => setAsking(false)}
        >
          <p>{words.resetText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
