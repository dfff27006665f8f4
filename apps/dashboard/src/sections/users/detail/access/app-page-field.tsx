import { Field, Input, Select } from '@tessera/ui';
import { useState } from 'react';
import {
  handlerAddress,
  handlerChoices,
  keepPage,
  localhostChoice,
  usualPlace,
} from '../../../../data/links/app-pages.ts';
import { useProject } from '../../../../data/owner.tsx';
import { accessWords } from './access-words.ts';

/** The chosen place of the pages of the app. */
export interface AppPage {
  readonly choices: readonly string[];
  readonly choice: string | undefined;
  readonly port: string;
  /** The address below which the pages are; undefined where no place is trusted, or the port is invalid. */
  readonly handler: string | undefined;
  readonly choose: (choice: string) => void;
  readonly setPort: (port: string) => void;
  /** Keeps the place for the next link. */
  readonly keep: (address: string) => void;
}

/** The state of `AppPageField`. It begins with the usual place of the app. */
export function useAppPage(): AppPage {
  const project = useProject();
  const choices = handlerChoices(project.config);
  const [usual] = useState(() => usualPlace(project));
  const [chosen, choose] = useState(usual.choice);
  const [port, setPort] = useState(usual.port);
  const choice = choices.includes(chosen) ? chosen : choices[0];
  const handler = choice === undefined ? undefined : handlerAddress(choice, port);
  return { choices, choice, port, handler, choose, setPort, keep: address => keepPage(project, address) };
}

/** Chooses where a link leads: a trusted domain, or a port of this machine. */
export function AppPageField({ page }: { readonly page: AppPage }) {
  if (page.choice === undefined) {
    return <p className="tss:text-sm tss:text-muted-foreground">{accessWords.noDomain}</p>;
  }
  return (
    <>
      <Field label={accessWords.page}>
        <Select value={page.choice} onChange={event => page.choose(event.target.value)}>
          {page.choices.map(one => (
            <option key={one} value={one}>
              {one === localhostChoice ? accessWords.localhost : one}
            </option>
          ))}
        </Select>
      </Field>
      {page.choice === localhostChoice && (
        <Field label={accessWords.port} error={page.handler === undefined && accessWords.portWrong}>
          <Input
            inputMode="numeric"
            autoComplete="off"
            value={page.port}
            onChange={event => page.setPort(event.target.value.trim())}
          />
        </Field>
      )}
    </>
  );
}
