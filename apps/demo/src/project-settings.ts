/** Settings of the demo's project that the page may change, with the server's names. */
export interface Settings extends Record<Switch, boolean> {
  readonly providers: readonly string[];
}

export type Switch =
  | 'sign_up_enabled'
  | 'credential_enabled'
  | 'magic_link_enabled'
  | 'passkey_enabled'
  | 'client_user_deletion_enabled'
  | 'client_team_creation_enabled'
  | 'create_team_on_sign_up'
  | 'allow_user_api_keys'
  | 'allow_team_api_keys';

const address = '/project-settings.json';

/** @throws Error with a message for users */
export async function loadSettings(): Promise<Settings> {
  return request({ cache: 'no-store' });
}

/**
 * @returns the settings after the change
 * @throws Error with a message for users
 */
export async function changeSettings(change: Partial<Settings>): Promise<Settings> {
  const headers = { 'content-type': 'application/json' };
  return request({ method: 'PATCH', headers, body: JSON.stringify(change) });
}

/** The settings that differ. */
export function changedSettings(before: Settings, after: Settings): Partial<Settings> {
  const names = Object.keys(after) as (keyof Settings)[];
  return Object.fromEntries(names.filter(name => after[name] !== before[name]).map(name => [name, after[name]]));
}

async function request(init: RequestInit): Promise<Settings> {
  const response = await fetch(address, init).catch(() => {
    throw new Error('The demo does not answer. Check your connection, and that it is still running.');
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error);
  return answer;
}
