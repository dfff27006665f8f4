import { createInOrder, Switch } from '@tessera/ui';
import { useOptimistic, useState, useTransition } from 'react';
import { toast } from 'sonner';
import { useRole } from '../../data/owner.tsx';
import { problemWords } from '../../data/problem-words.ts';

interface SettingSwitchProps {
  readonly label: string;
  readonly description?: string;
  readonly isOn: boolean;
  readonly disabled?: boolean;
  /** Resolves when `isOn` has the new value. */
  readonly save: (isOn: boolean) => Promise<unknown>;
}

/** A setting that is saved at once. It shows the new value immediately, and the old one again when saving fails. */
export function SettingSwitch({ label, description, isOn, disabled, save }: SettingSwitchProps) {
  const isViewer = useRole() === 'viewer';
  const [shown, show] = useOptimistic(isOn);
  const [isSaving, startSaving] = useTransition();
  const [inOrder] = useState(createInOrder);

  function change(next: boolean) {
    startSaving(async () => {
      show(next);
      try {
        await inOrder(() => save(next));
      } catch (error) {
        toast.error(problemWords(error));
      }
    });
  }

  return (
    <Switch
      label={label}
      description={description}
      checked={shown}
      disabled={disabled || isViewer}
      aria-busy={isSaving}
      onChange={change}
    />
  );
}
