import type { Json } from '@tessera/client';
import { Tabs } from '@tessera/ui';
import { useState } from 'react';
import { toast } from 'sonner';
import { useRole } from '../../data/owner.tsx';
import { SettingsForm } from '../form/settings-form.tsx';
import { useUnsaved } from '../form/unsaved-forms.tsx';
import { type Form, useForm } from '../form/use-form.ts';
import { Panel } from '../page/panel.tsx';
import { JsonEditor, jsonProblem } from './json-editor.tsx';
import { mergeMetadata } from './merge-metadata.ts';
import { words } from './words.ts';

const tiers = ['clientMetadata', 'clientReadOnlyMetadata', 'serverMetadata'] as const;
type Tier = (typeof tiers)[number];
type Metadata = Readonly<Record<Tier, unknown>>;

interface MetadataPanelProps {
  /** The three tiers of a user or team. */
  readonly metadata: Metadata;
  /** Who reads and writes each tier. */
  readonly hints: Readonly<Record<Tier, string>>;
  /** Reads the tiers again, because the app and other admins write them too; null when the user or team is gone. */
  readonly readStored: () => Promise<Metadata | null>;
  /** Stores one tier. Rejections are shown above the editor. */
  readonly onSave: (changes: { readonly [Name in Tier]?: Json }) => Promise<unknown>;
}

/** The three tiers of metadata, each in an editor. A tier that is being edited stays while another one is open. */
export function MetadataPanel(props: MetadataPanelProps) {
  const forms = {
    clientMetadata: useTierForm('clientMetadata', props),
    clientReadOnlyMetadata: useTierForm('clientReadOnlyMetadata', props),
    serverMetadata: useTierForm('serverMetadata', props),
  };
  useUnsaved(tiers.some(tier => forms[tier].isChanged));

  return (
    <Panel title={words.metadata.title} className="tss:lg:col-span-2">
      <Tabs
        label={words.metadata.title}
        initial="clientMetadata"
        tabs={tiers.map(tier => ({
          id: tier,
          label: words.metadata.tier[tier],
          content: <TierEditor key={tier} form={forms[tier]} tier={tier} hint={props.hints[tier]} />,
        }))}
      />
    </Panel>
  );
}

interface TierValues {
  readonly text: string;
}

function useTierForm(tier: Tier, { metadata, readStored, onSave }: MetadataPanelProps): Form<TierValues> {
  const value = metadata[tier];
  const initial = value === null ? '' : JSON.stringify(value, null, 2);
  const [before, setBefore] = useState(initial);
  const form = useForm<TierValues>({
    initial: { text: initial },
    validate: ({ text }) => ({ text: jsonProblem(text) }),
    submit: async ({ text }) => {
      const current = await readStored();
      const stored = current === null ? parse(before) : current[tier];
      await onSave({ [tier]: mergeMetadata({ before: parse(before), edited: parse(text), stored }) });
      // The stored metadata may be written in another way, which would count as a change.
      form.reset();
      toast.success(words.metadata.saved);
    },
  });
  // The text that an edit begins with. A refetch during the edit does not change it.
  if (!form.isChanged && before !== initial) setBefore(initial);
  return form;
}

function parse(text: string): Json {
  return text.trim() === '' ? null : JSON.parse(text);
}

interface TierEditorProps {
  readonly form: Form<TierValues>;
  readonly tier: Tier;
  readonly hint: string;
}

function TierEditor({ form, tier, hint }: TierEditorProps) {
  return (
    <SettingsForm form={form}>
      <p className="tss:text-sm tss:text-muted-foreground">{hint}</p>
      <JsonEditor
        label={words.metadata.tier[tier]}
        value={form.values.text}
        onChange={text => form.set('text', text)}
        isReadOnly={useRole() === 'viewer'}
      />
      {form.errors.text && (
        <p role="alert" className="tss:text-sm tss:text-destructive">
          {form.errors.text}
        </p>
      )}
    </SettingsForm>
  );
}
