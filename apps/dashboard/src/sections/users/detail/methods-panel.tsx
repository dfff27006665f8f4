import { useQuery } from '@tanstack/react-query';
import { Badge, FormSummary } from '@tessera/ui';
import { type ReactNode, useState } from 'react';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { ConfirmDialog } from '../../../components/form/confirm-dialog.tsx';
import { Panel } from '../../../components/page/panel.tsx';
import { providerName } from '../../../data/oauth-providers.ts';
import { useProject } from '../../../data/owner.tsx';
import { problemWords } from '../../../data/problem-words.ts';
import { signsInByCode } from '../methods/email-code.ts';
import { emailCodeQuery, type User } from '../queries.ts';
import { words } from '../words.ts';
import { methodWords } from './method-words.ts';
import { type Removal, removals } from './removals.ts';
import { SetPassword } from './set-password.tsx';
import { type UserChange, useUserChange } from './use-user-change.ts';

/** How a user signs in. An owner helps who has lost a method, and takes away one that is not safe any more. */
export function MethodsPanel({ user }: { readonly user: User }) {
  const { config } = useProject();
  const { failure, run, apply } = useUserChange();
  const [open, setOpen] = useState<'password' | Removal>();
  const close = () => setOpen(undefined);
  const remove = (removal: Removal) => (
    <ChangeButton size="sm" variant="secondary" onClick={() => setOpen(removal)}>
      {removal.label}
    </ChangeButton>
  );

  return (
    <Panel title={methodWords.title}>
      {failure !== undefined && <FormSummary title={problemWords(failure)} />}
      <ul className="tss:grid tss:grid-cols-[minmax(0,1fr)]">
        <MethodRow name={words.method.password} isOn={user.hasPassword}>
          {(user.hasPassword || config.credentialEnabled) && (
            <ChangeButton size="sm" variant="secondary" onClick={() => setOpen('password')}>
              {user.hasPassword ? methodWords.changePassword : methodWords.setPassword}
            </ChangeButton>
          )}
          {user.hasPassword && remove(removals.password)}
        </MethodRow>
        <EmailCodeRow user={user} refuse={remove(removals.code)} run={run} />
        <MethodRow name={words.method.passkey} isOn={user.passkeyAuthEnabled}>
          {user.passkeyAuthEnabled && remove(removals.passkeys)}
        </MethodRow>
        {user.oauthProviders.map(({ id }) => (
          <MethodRow key={id} name={providerName(id)} isOn />
        ))}
        <MethodRow name={words.method.totp} isOn={user.isMultiFactorRequired}>
          {user.isMultiFactorRequired && remove(removals.factor)}
        </MethodRow>
      </ul>
      {user.oauthProviders.length > 0 && (
        <p className="tss:text-xs tss:text-muted-foreground">{methodWords.providersHint}</p>
      )}
      {open === 'password' && <SetPassword user={user} apply={apply} onClose={close} />}
      {open !== undefined && open !== 'password' && (
        <ConfirmDialog
          title={open.title}
          confirmLabel={open.label}
          onConfirm={() => apply(() => user.update(open.changes), open.done)}
          onClose={close}
        >
          <p>{open.text}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

interface EmailCodeRowProps {
  readonly user: User;
  /** The button that refuses codes. */
  readonly refuse: ReactNode;
  readonly run: UserChange['run'];
}

/** What a request for a code does, with the reason. The flag of the user does not tell: the first request sets it. */
function EmailCodeRow({ user, refuse, run }: EmailCodeRowProps) {
  const project = useProject();
  const { data: state } = useQuery(emailCodeQuery(project, user));
  if (state === undefined) return <MethodRow name={words.method.emailCode} />;
  const isOn = signsInByCode(state, project.config);
  const reason = project.config.magicLinkEnabled ? methodWords.code[state] : methodWords.codeIsOff;
  return (
    <MethodRow name={words.method.emailCode} isOn={isOn} reason={reason}>
      {isOn && refuse}
      {state === 'refused' && project.config.magicLinkEnabled && (
        <ChangeButton
          size="sm"
          variant="secondary"
          onClick={() => run(() => user.update({ otpAuthEnabled: true }), methodWords.codeAllowed)}
        >
          {methodWords.allowCode}
        </ChangeButton>
      )}
    </MethodRow>
  );
}

interface MethodRowProps {
  readonly name: string;
  /** Undefined while it is loading. */
  readonly isOn?: boolean;
  /** Why it is on or off, where that is not plain. */
  readonly reason?: string | undefined;
  /** Buttons. */
  readonly children?: ReactNode;
}

function MethodRow({ name, isOn, reason, children }: MethodRowProps) {
  return (
    <li className="tss:flex tss:min-h-12 tss:flex-wrap tss:items-center tss:gap-x-3 tss:gap-y-1 tss:border-t tss:border-border tss:py-2 tss:text-sm tss:first:border-t-0">
      <span className="tss:min-w-0">{name}</span>
      {/* Its width is that of its word: the buttons wrap before the word does. */}
      <span className="tss:flex-auto">
        {isOn !== undefined && (
          <Badge tone={isOn ? 'primary' : 'neutral'}>{isOn ? methodWords.on : methodWords.off}</Badge>
        )}
      </span>
      <span className="tss:ms-auto tss:flex tss:flex-wrap tss:justify-end tss:gap-x-3 tss:gap-y-1">{children}</span>
      {reason && <p className="tss:w-full tss:text-xs tss:text-muted-foreground">{reason}</p>}
    </li>
  );
}
