import './project-settings.css';
import { useEffect, useState } from 'react';
import { changedSettings, changeSettings, loadSettings, type Settings, type Switch } from '../project-settings.ts';
import { Link, reloadOnNextNavigation } from '../router.tsx';
import { Unsaved } from '../unsaved.tsx';
import { type Change, useChanges } from '../use-changes.ts';

interface Group {
  readonly title: string;
  readonly switches: readonly { readonly name: Switch; readonly label: string; readonly hint: string }[];
}

const groups: readonly Group[] = [
  {
    title: 'Sign-in methods',
    switches: [
      { name: 'credential_enabled', label: 'Password', hint: 'An email address and a password.' },
      { name: 'magic_link_enabled', label: 'Email code', hint: 'A code and a link by email, no password.' },
      { name: 'passkey_enabled', label: 'Passkey', hint: 'Fingerprint, face or device PIN.' },
    ],
  },
  {
    title: 'Accounts',
    switches: [
      { name: 'sign_up_enabled', label: 'Sign-ups', hint: 'When off, only people with an account can sign in.' },
      {
        name: 'client_user_deletion_enabled',
        label: 'Account deletion',
        hint: 'Users can delete their account in the account settings.',
      },
    ],
  },
  {
    title: 'Teams and keys',
    switches: [
      { name: 'client_team_creation_enabled', label: 'Team creation', hint: 'Users can create teams.' },
      {
        name: 'create_team_on_sign_up',
        label: 'Team on sign-up',
        hint: 'Every new user gets a team.',
      },
      { name: 'allow_user_api_keys', label: 'User API keys', hint: 'In the account settings.' },
      { name: 'allow_team_api_keys', label: 'Team API keys', hint: 'In the team settings.' },
    ],
  },
];

const providers = [
  { id: 'github', label: 'GitHub' },
  { id: 'google', label: 'Google' },
  { id: 'microsoft', label: 'Microsoft' },
  { id: 'spotify', label: 'Spotify' },
];

/** Changes the settings of the demo's project and shows the effect at once. */
export function ProjectSettings() {
  const [settings, setSettings] = useState<Settings>();
  const [problem, setProblem] = useState('');

  useEffect(() => {
    loadSettings().then(setSettings, (error: Error) => setProblem(error.message));
  }, []);

  return (
    <main className="narrow page">
      <h1>Project settings</h1>
      <p className="quiet">
        Turn features of the Demo project on or off, then look at the <Link href="/handler/sign-in">sign-in page</Link>{' '}
        or the <Link href="/handler/account-settings">account settings</Link>. This page works only on the machine that
        runs the demo.
      </p>
      <p role="alert" className="problem">
        {problem}
      </p>
      {settings === undefined && problem === '' && <p className="quiet">Loading …</p>}
      {settings !== undefined && <Switches stored={settings} onStored={setSettings} />}
    </main>
  );
}

interface SwitchesProps {
  readonly stored: Settings;
  readonly onStored: (settings: Settings) => void;
}

function Switches({ stored, onStored }: SwitchesProps) {
  const { shown, failure, change, retry } = useChanges(stored, save);

  async function save(next: Change<Settings>): Promise<void> {
    const current = await loadSettings();
    onStored(await changeSettings(changedSettings(current, next(current))));
    reloadOnNextNavigation();
  }

  return (
    <>
      <Unsaved text={failure === undefined ? '' : messageOf(failure)} retry={retry} />
      {groups.map(({ title, switches }) => (
        <fieldset key={title} className="switches">
          <legend>{title}</legend>
          {switches.map(({ name, label, hint }) => (
            <Choice
              key={name}
              label={label}
              hint={hint}
              isOn={shown[name]}
              set={isOn => change(settings => ({ ...settings, [name]: isOn }))}
            />
          ))}
        </fieldset>
      ))}
      <fieldset className="switches">
        <legend>Providers</legend>
        {providers.map(({ id, label }) => (
          <Choice
            key={id}
            label={label}
            hint="Simulated by the mock provider. Needs no keys."
            isOn={shown.providers.includes(id)}
            set={isOn => change(settings => ({ ...settings, providers: withProvider(settings, id, isOn) }))}
          />
        ))}
      </fieldset>
    </>
  );
}

function withProvider({ providers }: Settings, id: string, isOn: boolean): readonly string[] {
  const others = providers.filter(other => other !== id);
  return isOn ? [...others, id] : others;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

interface ChoiceProps {
  readonly label: string;
  readonly hint: string;
  readonly isOn: boolean;
  readonly set: (isOn: boolean) => void;
}

function Choice({ label, hint, isOn, set }: ChoiceProps) {
  return (
    <label className="choice">
      <input
        type="checkbox"
        role="switch"
        checked={isOn}
        aria-checked={isOn}
        onChange={event => set(event.target.checked)}
      />
      <span>
        <strong>{label}</strong>
        <small>{hint}</small>
      </span>
    </label>
  );
}
