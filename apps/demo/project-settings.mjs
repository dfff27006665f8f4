/**
 * Changes the settings of the demo's project from the demo's own page. A customer's product has no such page; here it
 * shows what a setting does. It needs the project's admin key, so only this machine may use it.
 */

/** Settings that the page may change: names of the admin view's `config`. */
const switches = [
  'sign_up_enabled',
  'credential_enabled',
  'magic_link_enabled',
  'passkey_enabled',
  'client_user_deletion_enabled',
  'client_team_creation_enabled',
  'create_team_on_sign_up',
  'allow_user_api_keys',
  'allow_team_api_keys',
];
/** Providers that the mock OIDC provider simulates in development. */
const providers = ['github', 'google', 'microsoft', 'spotify'];

const bodyMaxBytes = 4096;
const serverTimeoutMs = 10_000;

/** A refused request. */
export class SettingsRefused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/**
 * @param {import('node:http').IncomingMessage} request GET, or PATCH with a JSON object of changes
 * @param {{ baseUrl: string, projectId: string, superSecretAdminKey: string }} project
 * @returns the current settings
 * @throws SettingsRefused
 */
export async function projectSettings(request, project) {
  assertFromHere(request);
  if (request.method !== 'PATCH') return settingsOf(await ask(project, {}));
  return settingsOf(await ask(project, { method: 'PATCH', body: JSON.stringify(changeOf(await readJson(request))) }));
}

/**
 * Allows only pages of this address, on this machine. Another site cannot set these headers, even when its name resolves
 * to this machine.
 */
function assertFromHere({ socket, headers }) {
  const isLocalPeer = /^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? '');
  const isLocalName = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/.test(headers.host ?? '');
  const site = headers['sec-fetch-site'];
  // A page with a code in its address sends no referrer, and then browsers hide the origin too.
  const origins = [undefined, `http://${headers.host}`, ...(site === 'same-origin' ? ['null'] : [])];
  const isSameOrigin = origins.includes(headers.origin);
  const isFromPage = (site ?? 'same-origin') === 'same-origin';
  if (isLocalPeer && isLocalName && isSameOrigin && isFromPage) return;
  throw new SettingsRefused(403, 'The settings of the demo project are switched on the machine that runs it.');
}

async function readJson(request) {
  if (request.headers['content-type'] !== 'application/json') throw new SettingsRefused(415, 'Send JSON.');
  const chunks = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > bodyMaxBytes) throw new SettingsRefused(413, 'That is too long.');
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch (error) {
    if (error instanceof SyntaxError) throw new SettingsRefused(400, 'This is no JSON.');
    throw error;
  }
}

/** The body of the server's PATCH for the changes of the page. */
function changeOf(asked) {
  const entries = Object.entries(typeof asked === 'object' && asked !== null ? asked : {});
  const config = Object.fromEntries(entries.map(([name, value]) => changedEntry(name, value)));
  if (entries.length === 0) throw new SettingsRefused(400, 'Nothing is to be changed.');
  return { config };
}

function changedEntry(name, value) {
  if (switches.includes(name) && typeof value === 'boolean') return [name, value];
  if (name === 'providers' && Array.isArray(value) && value.every(id => providers.includes(id))) {
    return ['oauth_providers', value.map(id => ({ id, type: 'shared' }))];
  }
  throw new SettingsRefused(400, `"${name}" cannot be switched like this.`);
}

function settingsOf({ config }) {
  return {
    ...Object.fromEntries(switches.map(name => [name, config[name]])),
    providers: config.oauth_providers.map(({ id }) => id).filter(id => providers.includes(id)),
  };
}

async function ask({ baseUrl, projectId, superSecretAdminKey }, init) {
  const response = await fetch(`${baseUrl}/api/v1/internal/projects/current`, {
    ...init,
    headers: {
      'content-type': 'application/json',
      'x-stack-access-type': 'admin',
      'x-stack-project-id': projectId,
      'x-stack-super-secret-admin-key': superSecretAdminKey,
    },
    signal: AbortSignal.timeout(serverTimeoutMs),
  }).catch(error => {
    throw new SettingsRefused(503, `Tessera did not answer: ${error.message}`);
  });
  if (!response.ok) throw new SettingsRefused(502, `Tessera answered ${response.status}.`);
  return response.json();
}
