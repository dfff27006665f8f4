import { Badge, FormSummary } from '@tessera/ui';
import { type ReactNode, useState } from 'react';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { ConfirmDialog } from '../../../components/form/confirm-dialog.tsx';
import { Panel } from '../../../components/page/panel.tsx';
import { providerName } from '../../../data/oauth-providers.ts';
import { useProject } from '../../../data/owner.tsx';
import { problemWords } from '../../../data/problem-words.ts';
import type { User } from '../queries.ts';
import { words } from '../words.ts';
import { type Removal, removals } from './removals.ts';
import { SetPassword } from './set-password.tsx';
import { useUserChange } from './use-user-change.ts';

/** How a user signs in. An owner helps who has lost a method, and takes away one that is not safe any more. */
export function MethodsPanel({ user }: { readonly user: User }) {
  const { config } = useProject();
  const { failure, run, apply } = useUserChange();
  const [open, setOpen] = useState<'password' | Removal>();
  const close = () => setOpen(undefined);
  const remove = (removal: Removal) => (
    <ChangeButton size="sm" variant="quiet" onClick={() => setOpen(removal)}>
      {removal.label}
    </ChangeButton>
  );

  return (
    <Panel title={words.methods.title}>
      {failure !== undefined && <FormSummary title={problemWords(failure)} />}
      <ul className="tss:grid tss:grid-cols-[minmax(0,1fr)]">
        <MethodRow name={words.method.password} isOn={user.hasPassword}>
          {(user.hasPassword || config.credentialEnabled) && (
            <ChangeButton size="sm" variant="quiet" onClick={() => setOpen('password')}>
              {user.hasPassword ? words.methods.changePassword : words.methods.setPassword}
            </ChangeButton>
          )}
          {user.hasPassword && remove(removals.password)}
        </MethodRow>
        <MethodRow name={words.method.emailCode} isOn={user.otpAuthEnabled}>
          {user.otpAuthEnabled && remove(removals.code)}
          {!user.otpAuthEnabled && config.magicLinkEnabled && (
            <ChangeButton
              size="sm"
              variant="quiet"
              onClick={() => run(() => user.update({ otpAuthEnabled: true }), words.methods.codeAllowed)}
            >
              {words.methods.allowCode}
            </ChangeButton>
          )}
        </MethodRow>
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
      {!user.otpAuthEnabled && user.primaryEmailVerified && config.magicLinkEnabled && (
        <p className="tss:text-xs tss:text-muted-foreground">{words.methods.codeHint}</p>
      )}
      {user.oauthProviders.length > 0 && (
        <p className="tss:text-xs tss:text-muted-foreground">{words.methods.providersHint}</p>
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

interface MethodRowProps {
  readonly name: string;
  readonly isOn: boolean;
  /** Buttons. */
  readonly children?: ReactNode;
}

function MethodRow({ name, isOn, children }: MethodRowProps) {
  return (
    <li className="tss:flex tss:min-h-12 tss:flex-wrap tss:items-center tss:gap-x-3 tss:gap-y-1 tss:border-t tss:border-border tss:py-2 tss:text-sm tss:first:border-t-0">
      <span className="tss:min-w-0">{name}</span>
      <span className="tss:flex-1">
        <Badge tone={isOn ? 'primary' : 'neutral'}>{isOn ? words.methods.on : words.methods.off}</Badge>
      </span>
      {children}
    </li>
  );
}
