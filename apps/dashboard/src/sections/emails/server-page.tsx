import { createLazyRoute } from '@tanstack/react-router';
import { Field, Input, Select } from '@tessera/ui';
import { toast } from 'sonner';
import { SecretInput } from '../../components/form/secret-input.tsx';
import { SettingsForm } from '../../components/form/settings-form.tsx';
import { type Form, useForm } from '../../components/form/use-form.ts';
import { Panel } from '../../components/page/panel.tsx';
import { useProject } from '../../data/owner.tsx';
import { useChangeConfig } from '../../data/update-project.ts';
import { EmailsHeader } from './emails-header.tsx';
import { changeServer, type ServerValues, serverErrors, serverValues } from './server-form.ts';
import { TestEmail } from './test-email.tsx';
import { ThemePanel } from './theme-panel.tsx';
import { words } from './words.ts';

export const route = createLazyRoute('/owner/projects/$projectId/emails/server')({ component: ServerPage });

function ServerPage() {
  return (
    <>
      <EmailsHeader />
      <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:items-start tss:gap-6 tss:lg:grid-cols-2">
        <ServerPanel />
        <ThemePanel />
      </div>
    </>
  );
}

function ServerPanel() {
  const project = useProject();
  const changeConfig = useChangeConfig();
  const form = useForm({
    initial: serverValues(project.config.emailConfig),
    validate: serverErrors,
    submit: async (values, onlyChanged) => {
      await changeConfig(config => ({
        emailConfig: changeServer({ stored: config.emailConfig, values, onlyChanged }),
      }));
      toast.success(words.serverSaved);
    },
  });

  return (
    <Panel title={words.server} description={words.serverHint}>
      <SettingsForm form={form}>
        <Field label={words.server}>
          <Select
            value={form.values.type}
            onChange={event => form.set('type', event.target.value === 'shared' ? 'shared' : 'standard')}
          >
            <option value="shared">{words.shared}</option>
            <option value="standard">{words.own}</option>
          </Select>
        </Field>
        {form.values.type === 'standard' && <ServerFields form={form} />}
      </SettingsForm>
      {form.values.type === 'standard' && <TestEmail server={form.values} />}
    </Panel>
  );
}

const texts = [
  ['host', words.host, undefined],
  ['port', words.port, words.portHint],
  ['username', words.username, undefined],
] as const;

const sender = [
  ['senderName', words.senderName],
  ['senderEmail', words.senderEmail],
] as const;

function ServerFields({ form }: { readonly form: Form<ServerValues> }) {
  return (
    <>
      {texts.map(([name, label, hint]) => (
        <Field key={name} label={label} description={hint} error={form.errors[name]}>
          <Input
            dir="ltr"
            autoComplete="off"
            inputMode={name === 'port' ? 'numeric' : undefined}
            value={form.values[name]}
            onChange={event => form.set(name, event.target.value)}
          />
        </Field>
      ))}
      <Field label={words.password} error={form.errors.password}>
        <SecretInput
          autoComplete="off"
          value={form.values.password}
          onChange={event => form.set('password', event.target.value)}
        />
      </Field>
      {sender.map(([name, label]) => (
        <Field key={name} label={label} error={form.errors[name]}>
          <Input autoComplete="off" value={form.values[name]} onChange={event => form.set(name, event.target.value)} />
        </Field>
      ))}
    </>
  );
}
