import type { OwnPasskey } from '@tessera/client';
import { passkeyNameMaxLength } from '@tessera/client/internals';
import { Badge, Button, Dialog, deviceName, Field, FormSummary, Input } from '@tessera/ui';
import { useState } from 'react';
import { useActionGuard } from '../../../../form/action-guard.ts';
import { FormFrame } from '../../../../form/form-frame.tsx';
import { useGuardedForm } from '../../../../form/use-guarded-form.ts';
import { type Load, useLoad } from '../../../../hooks/use-load.ts';
import { useDates } from '../../../../words/dates.ts';
import { useTranslate } from '../../../../words/translate.tsx';
import { Hint, Loaded, Row, Rows, Section } from '../../parts/parts.tsx';
import { RowMenu } from '../../parts/row-menu.tsx';
import type { AuthSectionProps } from '../methods.ts';
import { hasVerifiedSignInAddress, isOnlyWay } from '../methods.ts';
import { registrationWords } from './passkey-words.ts';

type Passkeys = Load<OwnPasskey[]>;

/** The passkeys of the account: adds, names and removes them. */
export function PasskeySection({ user, channels, ways }: AuthSectionProps) {
  const translate = useTranslate();
  const hasOne = user.passkeyAuthEnabled;
  const passkeys = useLoad(() => user.getPasskeys());
  const { add, problem, note, clear } = useAdding(user, passkeys);
  const mayAdd = hasOne || hasVerifiedSignInAddress(channels);

  return (
    <Section title={translate('passkey.title')} text={translate(hasOne ? 'passkey.isSet' : 'passkey.notSet')}>
      {hasOne && (
        <Loaded reading={passkeys}>
          {list => (
            <PasskeyRows
              user={user}
              isOnlyMethod={isOnlyWay(ways, 'passkey')}
              list={list}
              passkeys={passkeys}
              clear={clear}
            />
          )}
        </Loaded>
      )}
      {!mayAdd && <Hint>{translate('access.needsVerified')}</Hint>}
      {mayAdd && (
        <Button variant="secondary" onClick={add}>
          {translate(hasOne ? 'passkey.addMore' : 'passkey.add')}
        </Button>
      )}
      <p role="status" className="tss:text-sm tss:empty:hidden">
        {note}
      </p>
      {problem !== undefined && <FormSummary title={problem} />}
    </Section>
  );
}

interface PasskeyRowsProps {
  user: AuthSectionProps['user'];
  /** Whether the account cannot sign in without a passkey. */
  isOnlyMethod: boolean;
  list: readonly OwnPasskey[];
  passkeys: Passkeys;
  /** Clears the result of the last addition. */
  clear: () => void;
}

function PasskeyRows({ user, isOnlyMethod, list, passkeys, clear }: PasskeyRowsProps) {
  const translate = useTranslate();
  const [renamed, setRenamed] = useState<OwnPasskey>();
  const isOnly = list.length === 1 && isOnlyMethod;

  async function remove({ id }: OwnPasskey) {
    clear();
    await user.removePasskey(id);
    passkeys.change(all => all.filter(one => one.id !== id));
  }

  async function rename({ id }: OwnPasskey, name: string | null) {
    clear();
    await user.renamePasskey(id, name);
    passkeys.change(all => all.map(one => (one.id === id ? { ...one, name } : one)));
  }

  return (
    <>
      <Rows label={translate('passkey.title')}>
        {list.map(passkey => (
          <PasskeyRow
            key={passkey.id}
            passkey={passkey}
            rename={() => setRenamed(passkey)}
            remove={isOnly ? undefined : () => remove(passkey)}
          />
        ))}
      </Rows>
      {isOnly && <Hint>{translate('access.only')}</Hint>}
      {renamed && (
        <RenameDialog passkey={renamed} save={name => rename(renamed, name)} close={() => setRenamed(undefined)} />
      )}
    </>
  );
}

interface PasskeyRowProps {
  passkey: OwnPasskey;
  rename: () => void;
  /** Undefined for the only sign-in method. */
  remove: (() => Promise<void>) | undefined;
}

function PasskeyRow({ passkey, rename, remove }: PasskeyRowProps) {
  const translate = useTranslate();
  const dates = useDates();
  const { createdAt, lastUsedAt, device, providerName, isSynced } = passkey;
  const title = usePasskeyName(passkey);
  const deviceText = device ? deviceName(device) : undefined;
  const kept = [providerName, deviceText].filter(part => part !== undefined && part !== null && part !== title);
  const used = lastUsedAt
    ? translate('passkey.used', { date: dates.ago(lastUsedAt) ?? translate('sessions.justNow') })
    : translate('passkey.unused');
  const removal = {
    text: translate('action.remove'),
    act: () => remove?.(),
    question: {
      title: translate('passkey.removeTitle'),
      consequence: translate('passkey.removeText', { name: title }),
    },
  };

  return (
    <Row
      actions={
        <RowMenu
          of={title}
          actions={[{ text: translate('passkey.rename'), act: rename }, ...(remove === undefined ? [] : [removal])]}
        />
      }
    >
      <div className="tss:flex tss:flex-wrap tss:items-center tss:gap-2">
        <bdi className="tss:font-medium tss:wrap-anywhere">{title}</bdi>
        {isSynced && <Badge>{translate('passkey.synced')}</Badge>}
      </div>
      {kept.length > 0 && <Hint>{kept.join(' · ')}</Hint>}
      <Hint>{`${translate('passkey.addedOn', { date: dates.day(createdAt) })} · ${used}`}</Hint>
    </Row>
  );
}

function usePasskeyName({ name, providerName, device }: OwnPasskey): string {
  const translate = useTranslate();
  return name ?? providerName ?? (device ? deviceName(device) : undefined) ?? translate('passkey.unnamed');
}

interface RenameDialogProps {
  passkey: OwnPasskey;
  save: (name: string | null) => Promise<void>;
  close: () => void;
}

function RenameDialog({ passkey, save, close }: RenameDialogProps) {
  const translate = useTranslate();
  const placeholder = usePasskeyName({ ...passkey, name: null });
  const form = useGuardedForm({
    rules: { name: () => undefined },
    submit: async ({ name }) => {
      await save(name.trim() || null);
      return undefined;
    },
    done: close,
  });
  const { name, error } = form.field('name');

  return (
    <Dialog title={translate('passkey.renameTitle')} onClose={close}>
      <FormFrame form={form} submitText={translate('action.save')} onCancel={close}>
        <Field label={translate('passkey.name')} error={error}>
          <Input
            name={name}
            defaultValue={passkey.name ?? ''}
            placeholder={placeholder}
            maxLength={passkeyNameMaxLength}
            autoComplete="off"
            autoFocus
          />
        </Field>
      </FormFrame>
    </Dialog>
  );
}

function useAdding(user: AuthSectionProps['user'], passkeys: Passkeys) {
  const translate = useTranslate();
  const guard = useActionGuard();
  const [problem, setProblem] = useState<string>();
  const [note, setNote] = useState('');

  function clear() {
    setProblem(undefined);
    setNote('');
  }

  async function add() {
    clear();
    try {
      const result = await guard(() => user.registerPasskey());
      if (result.status === 'error') return setProblem(registrationWords(result.error, translate));
      setNote(translate('activity.factor.passkey_added'));
      await passkeys.retry();
    } catch (error) {
      setProblem(registrationWords(error, translate));
    }
  }

  return { add, problem, note, clear };
}
