import { useQueryClient } from '@tanstack/react-query';
import type { ProjectMember } from '@tessera/client';
import { Field, Input, Select } from '@tessera/ui';
import { useState } from 'react';
import { toast } from 'sonner';
import { DialogForm } from '../../../components/form/dialog-form.tsx';
import { EditDialog } from '../../../components/form/edit-dialog.tsx';
import { isTyped, textToType } from '../../../components/form/typed-text.ts';
import { useForm } from '../../../components/form/use-form.ts';
import { useProject } from '../../../data/owner.tsx';
import { words as common } from '../../../words.ts';
import { userName } from '../../users/user-name.ts';
import { renewMembers } from '../queries.ts';
import { words as all } from '../words.ts';

const words = all.members;

interface TransferProjectProps {
  /** Members who do not own the project; at least one. */
  readonly heirs: readonly ProjectMember[];
  readonly onClose: () => void;
}

/** Makes a member the owner, after the name of the project was typed. */
export function TransferProject({ heirs, onClose }: TransferProjectProps) {
  const project = useProject();
  const cache = useQueryClient();
  const asked = textToType(project.displayName);
  // The chosen heir does not change while the user types.
  const [initial] = useState({ userId: heirs[0]?.userId ?? '', typed: '' });
  const form = useForm({
    initial,
    validate: ({ typed }) => ({
      typed: isTyped(typed, asked) ? undefined : common.confirm.mismatch(asked),
    }),
    submit: async ({ userId }) => {
      await project.app.transferProject({ userId, displayName: project.displayName });
      const heir = heirs.find(member => member.userId === userId);
      await renewMembers(cache, project);
      if (heir !== undefined) toast.success(words.transferred(userName(heir)));
      onClose();
    },
  });

  return (
    <EditDialog title={words.transfer} onClose={onClose}>
      <p className="tss:text-sm tss:text-muted-foreground">{words.transferText}</p>
      <DialogForm form={form} label={words.transfer} variant="destructive" onClose={onClose}>
        <Field label={words.transferTo}>
          <Select value={form.values.userId} onChange={event => form.set('userId', event.target.value)}>
            {heirs.map(member => (
              <option key={member.userId} value={member.userId}>
                {userName(member)}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={common.confirm.type(asked)} error={form.errors.typed}>
          <Input
            autoComplete="off"
            spellCheck={false}
            value={form.values.typed}
            onChange={event => form.set('typed', event.target.value)}
          />
        </Field>
      </DialogForm>
    </EditDialog>
  );
}
