import { useQueryClient } from '@tanstack/react-query';
import { Checkbox, Field, Input } from '@tessera/ui';
import { toast } from 'sonner';
import { DialogForm } from '../../components/form/dialog-form.tsx';
import { EditDialog } from '../../components/form/edit-dialog.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { useProject } from '../../data/owner.tsx';
import { words as common } from '../../words.ts';
import { containablesOf, definitionChanges, validateNewDefinition } from './definition-draft.ts';
import { type Definition, definitionMethods, definitionsQuery, renewPermissions, type Scope } from './queries.ts';
import { words } from './words.ts';

interface DefinitionFormProps {
  readonly scope: Scope;
  /** All definitions of the scope. */
  readonly definitions: readonly Definition[];
  /** The definition to edit. Without it a new one is created. */
  readonly definition?: Definition;
  readonly onClose: () => void;
}

/** Creates or edits a permission. Containing a permission that contains this one is refused. */
export function DefinitionForm({ scope, definitions, definition, onClose }: DefinitionFormProps) {
  const project = useProject();
  const cache = useQueryClient();
  const form = useForm({
    initial: {
      id: definition?.id ?? '',
      description: definition?.description ?? '',
      contained: definition?.containedPermissionIds ?? [],
    },
    validate: draft =>
      definition === undefined
        ? validateNewDefinition(
            draft,
            definitions.map(({ id }) => id),
          )
        : {},
    submit: async draft => {
      const { create, update } = definitionMethods(project, scope);
      const id = draft.id.trim();
      if (definition === undefined) {
        await create({ id, description: draft.description.trim(), containedPermissionIds: draft.contained });
      } else {
        const now = await cache.fetchQuery({ ...definitionsQuery(project, scope), staleTime: 0 });
        const stored = now.find(one => one.id === id) ?? definition;
        await update(id, definitionChanges({ opened: definition, stored, draft }));
      }
      await renewPermissions(cache, project);
      toast.success(words.saved(id));
      onClose();
    },
  });

  return (
    <EditDialog
      title={definition === undefined ? words.scope[scope].create : words.editTitle(definition.id)}
      onClose={onClose}
    >
      <DialogForm
        form={form}
        label={common.action.save}
        disabled={definition !== undefined && !form.isChanged}
        onClose={onClose}
      >
        {definition === undefined && (
          <Field label={words.id} description={words.idHint} error={form.errors.id}>
            <Input
              dir="ltr"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={form.values.id}
              onChange={event => form.set('id', event.target.value)}
            />
          </Field>
        )}
        <Field label={words.describe} description={words.describeHint}>
          <Input
            autoComplete="off"
            value={form.values.description}
            onChange={event => form.set('description', event.target.value)}
          />
        </Field>
        <ContainedFields
          id={definition?.id ?? ''}
          definitions={definitions}
          contained={form.values.contained}
          onChange={contained => form.set('contained', [...contained])}
        />
      </DialogForm>
    </EditDialog>
  );
}

interface ContainedFieldsProps {
  readonly id: string;
  readonly definitions: readonly Definition[];
  readonly contained: readonly string[];
  readonly onChange: (contained: readonly string[]) => void;
}

function ContainedFields({ id, definitions, contained, onChange }: ContainedFieldsProps) {
  const containables = containablesOf(id, definitions);
  const descriptions = new Map(definitions.map(one => [one.id, one.description]));
  return (
    <fieldset className="tss:grid tss:min-w-0">
      <legend className="tss:text-sm tss:font-medium">{words.contains}</legend>
      {containables.length === 0 && <p className="tss:text-sm tss:text-muted-foreground">{words.nothingToContain}</p>}
      {containables.map(({ id: inner, refusal }) => (
        <Checkbox
          key={inner}
          checked={contained.includes(inner)}
          // A cycle that another program made can be ended here.
          disabled={refusal !== undefined && !contained.includes(inner)}
          onChange={({ target }) =>
            onChange(target.checked ? [...contained, inner] : contained.filter(one => one !== inner))
          }
          label={
            <span className="tss:grid">
              <code className="tss:font-mono tss:text-xs tss:font-medium tss:wrap-anywhere">{inner}</code>
              {descriptions.get(inner) && (
                <span className="tss:text-xs tss:text-muted-foreground tss:wrap-anywhere">
                  {descriptions.get(inner)}
                </span>
              )}
              {refusal && <span className="tss:text-xs tss:text-muted-foreground">{refusal}</span>}
            </span>
          }
        />
      ))}
    </fieldset>
  );
}
