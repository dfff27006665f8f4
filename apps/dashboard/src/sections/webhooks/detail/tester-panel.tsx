import { Button, Field, Input } from '@tessera/ui';
import { useState } from 'react';
import { FormFailure } from '../../../components/form/form-failure.tsx';
import { TextArea } from '../../../components/form/text-area.tsx';
import { useForm } from '../../../components/form/use-form.ts';
import { Panel } from '../../../components/page/panel.tsx';
import { useProject } from '../../../data/owner.tsx';
import { checkSignature, type SignatureVerdict } from '../check-signature.ts';
import type { Endpoint } from '../queries.ts';
import { words } from '../words.ts';

const headers = [
  ['id', words.idHeader],
  ['timestamp', words.timestampHeader],
  ['signature', words.signatureHeader],
] as const;

/** Checks the signature of a pasted request with the current secret of the endpoint. */
export function TesterPanel({ endpoint }: { readonly endpoint: Endpoint }) {
  const { app } = useProject();
  const [verdict, setVerdict] = useState<SignatureVerdict>();
  const form = useForm({
    initial: { id: '', timestamp: '', signature: '', body: '' },
    submit: async request => {
      setVerdict(undefined);
      setVerdict(await checkSignature(request, await app.getWebhookSecret(endpoint.id)));
    },
  });

  return (
    <Panel title={words.tester} description={words.testerHint}>
      <form noValidate className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-4" onSubmit={form.onSubmit}>
        <FormFailure failure={form.failure} />
        {headers.map(([name, label]) => (
          <Field key={name} label={label}>
            <Input
              dir="ltr"
              autoComplete="off"
              spellCheck={false}
              value={form.values[name]}
              onChange={event => form.set(name, event.target.value)}
            />
          </Field>
        ))}
        <Field label={words.body} description={words.bodyHint}>
          <TextArea
            dir="ltr"
            spellCheck={false}
            className="tss:font-mono"
            value={form.values.body}
            onChange={event => form.set('body', event.target.value)}
          />
        </Field>
        <Button type="submit" variant="secondary" className="tss:justify-self-start" busy={form.isBusy}>
          {words.check}
        </Button>
        <p role="status" className="tss:text-sm tss:font-medium">
          {verdict && words.verdict[verdict]}
        </p>
      </form>
    </Panel>
  );
}
