import type { ApiKeyScope } from '@tessera/client';
import { Button, Checkbox, Dialog, Field, Input, Select } from '@tessera/ui';
import { useContext, useState } from 'react';
import { TesseraContext } from '../../../app/context.ts';
import { FormFrame } from '../../../form/form-frame.tsx';
import { useGuardedForm } from '../../../form/use-guarded-form.ts';
import { useTranslate } from '../../../words/translate.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { useLeaveGuard } from '../parts/use-leave-guard.ts';
import type { CreateKey } from './keys.ts';
import { expiryIn, lifetimes, usualLifetimeDays } from './keys.ts';

interface CreateDialogProps {
  create: CreateKey;
  created: (secret: string) => void;
  close: () => void;
}

/** Asks for the description, the lifetime and, where the app has scopes, the scopes of a new key. */
export function CreateDialog({ create, created, close }: CreateDialogProps) {
  const translate = useTranslate();
  const { apiKeyScopes: offered } = useContext(TesseraContext) ?? {};
  const [scopes, setScopes] = useState<readonly ApiKeyScope[]>([]);

  const form = useGuardedForm({
    rules: {
      description: text => (text.trim() === '' ? 'invalid.descriptionMissing' : undefined),
      days: () => undefined,
      scopes: () => (offered && scopes.length === 0 ? 'invalid.scopeMissing' : undefined),
    },
    submit: async ({ description, days }) => {
      const expiresAt = expiryIn(Number(days));
      const key = await create({ description: description.trim(), expiresAt, ...(offered && { scopes }) });
      created(key.value);
      return undefined;
    },
  });
  const { error } = form.field('description');
  const scopeProblem = form.field('scopes').error;

  return (
    <Dialog title={translate('keys.create')} onClose={close}>
      <FormFrame form={form} submitText={translate('keys.create')} onCancel={close}>
        <Field label={translate('keys.description')} error={error}>
          <Input name="description" autoComplete="off" aria-required />
        </Field>
        <Field label={translate('keys.expires')}>
          <Select name="days" defaultValue={usualLifetimeDays}>
            {lifetimes.map(({ days, word }) => (
              <option key={days} value={days}>
                {translate(word)}
              </option>
            ))}
          </Select>
        </Field>
        {offered && (
          <fieldset>
            <legend className="tss:text-sm tss:font-medium">{translate('keys.scopes')}</legend>
            {offered.map(scope => (
              <Checkbox
                key={scope}
                name="scopes"
                label={<bdi>{scope}</bdi>}
                checked={scopes.includes(scope)}
                onChange={({ target }) =>
                  setScopes(target.checked ? [...scopes, scope] : scopes.filter(other => other !== scope))
                }
              />
            ))}
            <p role="alert" className="tss:text-sm tss:text-destructive tss:empty:hidden">
              {scopeProblem}
            </p>
          </fieldset>
        )}
      </FormFrame>
    </Dialog>
  );
}

/** Shows a new key. Only its button closes it, and only after the user confirms that the key is saved. */
export function RevealDialog({ secret, close }: { secret: string; close: () => void }) {
  const translate = useTranslate();
  const [isKept, setKept] = useState(false);
  useLeaveGuard(!isKept);

  return (
    <Dialog title={translate('keys.created.title')}>
      <p className="tss:text-muted-foreground">{translate('keys.created.text')}</p>
      <code
        dir="ltr"
        className="tss:select-all tss:rounded-md tss:bg-muted tss:p-3 tss:font-mono tss:text-sm tss:wrap-anywhere"
      >
        {secret}
      </code>
      <CopyButton text={secret} />
      <Checkbox
        label={translate('keys.created.seen')}
        checked={isKept}
        onChange={event => setKept(event.target.checked)}
      />
      <Button disabled={!isKept} onClick={close}>
        {translate('action.close')}
      </Button>
    </Dialog>
  );
}
