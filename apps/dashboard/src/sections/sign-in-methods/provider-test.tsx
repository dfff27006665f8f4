import { useQuery } from '@tanstack/react-query';
import type { ProviderId, ProviderTestAccount, ProviderTestFailureReason, ProviderTestResult } from '@tessera/client';
import { Button, Dialog, FormSummary, Skeleton } from '@tessera/ui';
import { CircleCheck } from 'lucide-react';
import { DialogForm } from '../../components/form/dialog-form.tsx';
import { EditDialog } from '../../components/form/edit-dialog.tsx';
import { ActionFailure } from '../../components/form/form-failure.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { Fact, Facts } from '../../components/page/facts.tsx';
import { Problem } from '../../components/page/problem.tsx';
import { oauthProviders, providerName } from '../../data/oauth-providers.ts';
import { useProject } from '../../data/owner.tsx';
import { words as common } from '../../words.ts';
import { CallbackUrl, ConsoleLink } from './at-provider.tsx';
import { providerTestQuery } from './queries.ts';
import { words } from './words.ts';

interface BeginTestProps {
  readonly id: ProviderId;
  readonly onClose: () => void;
}

/** Leads to the provider, which leads back to the result. */
export function BeginTest({ id, onClose }: BeginTestProps) {
  const { app } = useProject();
  const name = providerName(id);
  const hasOwnKeys = useHasOwnKeys(id);
  const form = useForm({
    initial: {},
    submit: async () => {
      const { url } = await app.testOAuthProvider(id);
      window.location.assign(url);
    },
  });
  return (
    <EditDialog title={words.testOf(name)} onClose={onClose}>
      <DialogForm
        form={form}
        label={words.testGo(name)}
        failure={<ActionFailure failure={form.failure} />}
        onClose={onClose}
      >
        <p className="tss:text-sm tss:text-muted-foreground">{words.testText(name)}</p>
        {hasOwnKeys && (
          <>
            <p className="tss:text-sm tss:text-muted-foreground">{words.testNoReturn(name)}</p>
            <AtProvider id={id} />
          </>
        )}
      </DialogForm>
    </EditDialog>
  );
}

/** With shared keys there is nothing to change at the provider. */
function useHasOwnKeys(id: ProviderId | undefined): boolean {
  const { oauthProviders: stored } = useProject().config;
  return stored.some(provider => provider.id === id && provider.type === 'standard');
}

function AtProvider({ id }: { readonly id: ProviderId }) {
  const provider = oauthProviders.find(one => one.id === id);
  return (
    <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-3">
      <CallbackUrl id={id} />
      {provider !== undefined && <ConsoleLink name={provider.name} console={provider.console} />}
    </div>
  );
}

interface TestResultProps {
  readonly testId: string;
  readonly onAgain: (id: ProviderId) => void;
  readonly onClose: () => void;
}

/** What came back from the provider. */
export function TestResult({ testId, onAgain, onClose }: TestResultProps) {
  const result = useQuery(providerTestQuery(useProject(), testId));
  const provider = oauthProviders.find(({ id }) => id === result.data?.providerId);
  return (
    <Dialog title={provider === undefined ? words.testResult : words.testResultOf(provider.name)} onClose={onClose}>
      {result.isPending && <Skeleton className="tss:h-24" />}
      {result.isError && <Problem error={result.error} title={words.testGone} />}
      {result.data && <Outcome result={result.data} id={provider?.id} />}
      <div className="tss:flex tss:flex-wrap-reverse tss:justify-end tss:gap-3">
        {provider !== undefined && (
          <Button variant="secondary" onClick={() => onAgain(provider.id)}>
            {words.testAgain}
          </Button>
        )}
        <Button onClick={onClose}>{common.action.close}</Button>
      </div>
    </Dialog>
  );
}

interface OutcomeProps {
  readonly result: ProviderTestResult;
  readonly id: ProviderId | undefined;
}

/** Failures that are fixed in the settings of the app at the provider. */
const mendedThere: ReadonlySet<ProviderTestFailureReason> = new Set([
  'client',
  'scope',
  'hidden_email',
  'grant',
  'answer',
]);

function Outcome({ result: { account, failure }, id }: OutcomeProps) {
  const hasOwnKeys = useHasOwnKeys(id);
  if (account !== null) return <Account account={account} />;
  if (failure === null) return null;
  return (
    <>
      <FormSummary title={words.testFailures[failure.reason].title}>
        <p>{words.testFailures[failure.reason].mend}</p>
        <p className="tss:font-mono tss:text-xs tss:text-muted-foreground">{failure.message}</p>
      </FormSummary>
      {id !== undefined && hasOwnKeys && mendedThere.has(failure.reason) && <AtProvider id={id} />}
    </>
  );
}

function Account({ account: { id, email, isEmailVerified } }: { readonly account: ProviderTestAccount }) {
  return (
    <>
      <p role="status" className="tss:flex tss:gap-2.5 tss:text-sm">
        <CircleCheck aria-hidden className="tss:mt-0.5 tss:size-4 tss:shrink-0 tss:text-primary" />
        {words.testWorked}
      </p>
      <Facts>
        <Fact name={words.testAccountId}>{id}</Fact>
        <Fact name={words.testEmail}>{email ?? words.testNoEmail}</Fact>
        {email !== null && (
          <Fact name={words.testVerified}>{isEmailVerified ? words.testIsVerified : words.testIsNotVerified}</Fact>
        )}
      </Facts>
    </>
  );
}
