import type { TesseraServer } from './tessera-server.ts';

type Reachable = Pick<TesseraServer, 'url' | 'keys'>;

/** Settings of a project, with the names of the API. */
export interface ProjectSwitches {
  readonly sign_up_enabled?: boolean;
  readonly credential_enabled?: boolean;
  readonly magic_link_enabled?: boolean;
  readonly passkey_enabled?: boolean;
  readonly client_team_creation_enabled?: boolean;
  readonly client_user_deletion_enabled?: boolean;
  readonly allow_user_api_keys?: boolean;
  readonly allow_team_api_keys?: boolean;
  readonly oauth_providers?: readonly (
    | { readonly id: string; readonly type: 'shared' }
    | { readonly id: string; readonly type: 'standard'; readonly client_id: string; readonly client_secret: string }
  )[];
  readonly domains?: readonly { readonly domain: string; readonly handler_path: string }[];
}

const plain: Required<ProjectSwitches> = {
  sign_up_enabled: true,
  credential_enabled: true,
  magic_link_enabled: false,
  passkey_enabled: false,
  client_team_creation_enabled: false,
  client_user_deletion_enabled: false,
  allow_user_api_keys: false,
  allow_team_api_keys: false,
  oauth_providers: [],
  domains: [],
};

/** All features of a project, switched on. */
export const everything: ProjectSwitches = {
  magic_link_enabled: true,
  passkey_enabled: true,
  client_team_creation_enabled: true,
  client_user_deletion_enabled: true,
  allow_user_api_keys: true,
  allow_team_api_keys: true,
  oauth_providers: ['google', 'github', 'microsoft', 'spotify'].map(id => ({ id, type: 'shared' })),
};

/** Sets the settings of `Demo`. Missing ones get the value of a project with passwords only. */
export function configure(server: Reachable, switches: ProjectSwitches = {}): Promise<void> {
  return send(server, 'PATCH', 'internal/projects/current', { config: { ...plain, ...switches } });
}

/** Changes settings of `Demo` that have an endpoint of their own. */
export function changeExtension(server: Reachable, name: string, settings: object): Promise<void> {
  return send(server, 'PATCH', `internal/extensions/${name}`, settings);
}

/** Creates an object of `Demo`, such as a user or a team. */
export function create(server: Reachable, path: string, body: object): Promise<void> {
  return send(server, 'POST', path, body);
}

/** Sends a request with the admin key of `Demo`. */
async function send({ url, keys }: Reachable, method: 'PATCH' | 'POST', path: string, body: object): Promise<void> {
  const response = await fetch(`${url}/api/v1/${path}`, {
    method,
    headers: {
      'content-type': 'application/json',
      'x-stack-access-type': 'admin',
      'x-stack-project-id': keys.projectId,
      'x-stack-super-secret-admin-key': keys.superSecretAdminKey,
    },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${method} ${path} was refused: ${response.status} ${await response.text()}`);
}
