import type { ProviderId } from '@tessera/client';
import { Field, FormSummary, Input, type InputProps, Select } from '@tessera/ui';
import { toast } from 'sonner';
import { ChangeFields } from '../../components/form/change-fields.tsx';
import { DialogForm } from '../../components/form/dialog-form.tsx';
import { EditDialog } from '../../components/form/edit-dialog.tsx';
import { SecretInput } from '../../components/form/secret-input.tsx';
import { type Form, useForm } from '../../components/form/use-form.ts';
import { lacksKeys, oauthProviders } from '../../data/oauth-providers.ts';
import { useProject } from '../../data/owner.tsx';
import { useChangeConfig } from '../../data/update-project.ts';
import { rootRoute } from '../../routes/root.tsx';
import { words as common } from '../../words.ts';
import { keyIdOfFile } from './apple-key.ts';
import { CallbackUrl, ConsoleLink } from './at-provider.tsx';
import { providerFields } from './provider-fields.ts';
import {
  changeProvider,
  firstValues,
  type ProviderValues,
  type StoredProvider,
  validateProvider,
} from './provider-form.ts';
import { words } from './words.ts';

interface ProviderDialogProps {
  readonly id: ProviderId;
  readonly onClose: () => void;
}

/** Sets up a provider with shared or own keys. */
export function ProviderDialog({ id, onClose }: ProviderDialogProps) {
  const { config } = useProject();
  const changeConfig = useChangeConfig();
  const stored = config.oauthProviders.find(provider => provider.id === id);
  const provider = oauthProviders.find(one => one.id === id);
  const name = provider?.name ?? id;
  const { sharedProviders } = rootRoute.useRouteContext().config;
  const hasSharedKeys = sharedProviders.includes(id);
  const form = useForm({
    initial: firstValues(stored, hasSharedKeys),
    validate: values => validateProvider(id, values, stored),
    submit: async values => {
      await changeConfig(({ oauthProviders }) => ({
        oauthProviders: changeProvider(oauthProviders, { id, values, opened: stored }),
      }));
      toast.success(words.saved(name));
      onClose();
    },
  });

  return (
    <EditDialog title={stored === undefined ? words.setUpOf(name) : words.changeOf(name)} onClose={onClose}>
      <DialogForm form={form} label={common.action.save} onClose={onClose}>
        {stored && lacksKeys(stored, sharedProviders) && (
          <FormSummary title={words.needsKeysTitle(name)}>{words.needsKeysText}</FormSummary>
        )}
        {hasSharedKeys && (
          <ChangeFields>
            <Field label={words.keys} description={form.values.type === 'shared' && words.sharedHint}>
              <Select
                value={form.values.type}
                onChange={event => form.set('type', event.target.value === 'shared' ? 'shared' : 'standard')}
              >
                <option value="shared">{words.keysShared}</option>
                <option value="standard">{words.keysStandard}</option>
              </Select>
            </Field>
          </ChangeFields>
        )}
        {form.values.type === 'standard' && (
          <>
            <p className="tss:text-sm tss:text-muted-foreground">
              {words.consoleText(name, providerFields[id].callbackUrl)}
            </p>
            <CallbackUrl id={id} />
            {provider !== undefined && <ConsoleLink name={name} console={provider.console} />}
            <ChangeFields>
              <OwnKeys id={id} form={form} stored={stored} />
            </ChangeFields>
          </>
        )}
      </DialogForm>
    </EditDialog>
  );
}

interface OwnKeysProps {
  readonly id: ProviderId;
  readonly form: Form<ProviderValues>;
  readonly stored: StoredProvider;
}

/** The properties of the input of a text. */
type TextInput = (name: Exclude<keyof ProviderValues, 'type'>) => InputProps;

function OwnKeys({ id, form, stored }: OwnKeysProps) {
  const fields = providerFields[id];
  const isStored = stored?.type === 'standard';
  const text: TextInput = name => ({
    autoComplete: 'off',
    spellCheck: false,
    dir: 'ltr',
    value: form.values[name],
    onChange: event => form.set(name, event.target.value),
  });
  return (
    <>
      <Field label={words.clientId} error={form.errors.clientId} description={fields.clientId}>
        <Input {...text('clientId')} />
      </Field>
      {id === 'apple' ? (
        <AppleKeyFields form={form} text={text} isStored={isStored} />
      ) : (
        <Field
          label={words.clientSecret}
          error={form.errors.clientSecret}
          description={[fields.clientSecret, isStored ? words.secretStored : words.secretNew].filter(Boolean).join(' ')}
        >
          <SecretInput
            {...text('clientSecret')}
            // A value that keeps password managers from filling in the password of the owner.
            autoComplete="new-password"
          />
        </Field>
      )}
      {id === 'microsoft' && (
        <Field label={words.tenant} description={words.tenantHint}>
          <Input {...text('microsoftTenantId')} />
        </Field>
      )}
      {id === 'facebook' && (
        <Field label={words.facebookConfig} description={words.facebookConfigHint}>
          <Input {...text('facebookConfigId')} />
        </Field>
      )}
    </>
  );
}

interface AppleKeyFieldsProps extends Pick<OwnKeysProps, 'form'> {
  readonly text: TextInput;
  readonly isStored: boolean;
}

/** The key with which the server signs the client secrets, because Apple's own last half a year at most. */
function AppleKeyFields({ form, text, isStored }: AppleKeyFieldsProps) {
  async function choose(file: File | undefined) {
    const keyId = keyIdOfFile(file?.name ?? '');
    form.set('clientSecret', (await file?.text()) ?? '');
    if (keyId !== undefined) form.set('appleKeyId', keyId);
  }
  return (
    <>
      <Field
        label={words.appleKey}
        error={form.errors.clientSecret}
        description={[words.appleKeyHint, isStored ? words.appleKeyStored : words.secretNew].join(' ')}
      >
        <Input type="file" accept=".p8" onChange={event => void choose(event.target.files?.[0])} />
      </Field>
      <Field label={words.appleKeyId} error={form.errors.appleKeyId} description={words.appleKeyIdHint}>
        <Input {...text('appleKeyId')} />
      </Field>
      <Field label={words.appleTeamId} error={form.errors.appleTeamId} description={words.appleTeamIdHint}>
        <Input {...text('appleTeamId')} />
      </Field>
    </>
  );
}
