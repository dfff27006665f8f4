import type { CurrentUser, ReauthenticationMethod } from '@tessera/client';
import { Button, Dialog } from '@tessera/ui';
import { useState } from 'react';
import { useAttempt } from '../../form/use-attempt.tsx';
import { useLoad } from '../../hooks/use-load.ts';
import { useTranslate } from '../../words/translate.tsx';
import type { WordKey } from '../../words/words.ts';
import { Loaded } from '../account-settings/parts/parts.tsx';
import { PartSurface } from '../cards/surface.tsx';
import { ProofForm } from './proof-form.tsx';

interface ReauthenticationDialogProps {
  user: CurrentUser;
  done: () => void;
  cancel: () => void;
}

const switchKeys: Record<ReauthenticationMethod['method'], WordKey> = {
  passkey: 'reauth.passkey',
  password: 'reauth.password',
  code: 'reauth.code',
};

/** Asks the signed-in user to confirm the identity: with a passkey, the password or an emailed code. */
export function ReauthenticationDialog(props: ReauthenticationDialogProps) {
  // The page behind the dialog often belongs to the host app, which has neither our language nor our theme.
  return (
    <PartSurface className="tessera-dialogs">
      <MethodsDialog {...props} />
    </PartSurface>
  );
}

function MethodsDialog(props: ReauthenticationDialogProps) {
  const translate = useTranslate();
  const methods = useLoad(() => props.user.getReauthenticationMethods());

  return (
    <Dialog title={translate('reauth.title')} onClose={props.cancel}>
      <Loaded reading={methods}>
        {found => (found.length === 0 ? <NoMethod {...props} /> : <Methods {...props} methods={found} />)}
      </Loaded>
    </Dialog>
  );
}

type MethodsProps = ReauthenticationDialogProps & { methods: readonly ReauthenticationMethod[] };

function Methods({ user, methods, done, cancel }: MethodsProps) {
  const translate = useTranslate();
  const [chosen, setChosen] = useState(methods[0]);
  if (chosen === undefined) return null;
  const others = methods.filter(({ method }) => method !== chosen.method);

  return (
    <>
      <p className="tss:text-pretty tss:text-muted-foreground">{translate('reauth.text')}</p>
      <ProofForm key={chosen.method} user={user} method={chosen} done={done} cancel={cancel} />
      {others.length > 0 && (
        <div className="tss:flex tss:flex-wrap tss:gap-x-4 tss:gap-y-1 tss:border-t tss:border-border tss:pt-4">
          {others.map(other => (
            <Button key={other.method} variant="link" onClick={() => setChosen(other)}>
              {translate(switchKeys[other.method])}
            </Button>
          ))}
        </div>
      )}
    </>
  );
}

/** The account has no proof that this page can check, for example only a provider and an unverified address. */
function NoMethod({ user, cancel }: Pick<ReauthenticationDialogProps, 'user' | 'cancel'>) {
  const translate = useTranslate();
  const { attempt, failure } = useAttempt();

  return (
    <>
      <p className="tss:text-pretty tss:text-muted-foreground">{translate('reauth.none')}</p>
      {failure}
      <div className="tss:flex tss:flex-wrap tss:gap-3">
        <Button className="tss:flex-auto" onClick={async () => void (await attempt(() => user.signOut()))}>
          {translate('action.signOut')}
        </Button>
        <Button variant="secondary" onClick={cancel}>
          {translate('action.cancel')}
        </Button>
      </div>
    </>
  );
}
