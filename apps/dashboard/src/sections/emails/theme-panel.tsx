import { createInOrder, Field, Select } from '@tessera/ui';
import { useState } from 'react';
import { toast } from 'sonner';
import { ChangeFields } from '../../components/form/change-fields.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { useProject } from '../../data/owner.tsx';
import { problemWords } from '../../data/problem-words.ts';
import { useUpdateConfig } from '../../data/update-project.ts';
import { words } from './words.ts';

const themes = ['default-light', 'default-dark'] as const;

/** The frame of messages to users. A choice is saved at once. */
export function ThemePanel() {
  const { config } = useProject();
  const updateConfig = useUpdateConfig();
  const [inOrder] = useState(createInOrder);

  async function choose(value: string) {
    const emailTheme = themes.find(theme => theme === value);
    if (emailTheme === undefined) return;
    try {
      await inOrder(() => updateConfig({ emailTheme }));
      toast.success(words.themeSaved);
    } catch (error) {
      toast.error(problemWords(error));
    }
  }

  return (
    <Panel title={words.theme} description={words.themeHint}>
      <ChangeFields>
        <Field label={words.theme}>
          <Select value={config.emailTheme} onChange={event => void choose(event.target.value)}>
            {themes.map(theme => (
              <option key={theme} value={theme}>
                {words.themes[theme]}
              </option>
            ))}
          </Select>
        </Field>
      </ChangeFields>
    </Panel>
  );
}
