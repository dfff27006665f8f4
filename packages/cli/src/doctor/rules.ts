import { type Finding, findings } from './check.ts';
import { passHeaders } from './fixes.ts';

/** A smaller clock difference is harmless. */
const clockToleranceMs = 30_000;
/** The `Date` header has a resolution of one second. */
const headerResolutionMs = 1_000;
const minServerVersion = 15;

/** The last day with security fixes, by major version (nodejs/Release, schedule.json). */
const nodeEndOfLife: Readonly<Record<number, string>> = {
  20: '2026-04-30',
  21: '2024-06-01',
  22: '2027-04-30',
  23: '2025-06-01',
  24: '2028-04-30',
  25: '2026-06-01',
  26: '2029-04-30',
};

/** Whether the Node.js release still gets security fixes. A release that is not in the table is newer than it. */
export function nodeVersionFinding(version: string, nowMillis: number): Finding {
  const { ok, warning } = findings('Node.js');
  const lastDay = nodeEndOfLife[Number(version.split('.')[0])];
  if (lastDay === undefined || nowMillis < Date.parse(lastDay)) return ok(`Node.js ${version} gets security fixes.`);
  return warning(
    `Node.js ${version} reached its end of life on ${lastDay} and gets no security fixes. Use the newest LTS release.`,
    'nvm install --lts',
  );
}

/** Compares the server's configured public address with the address that this check used. */
export function publicUrlFinding(reachedAt: string, own: string): Finding {
  const { ok, wrong } = findings('public URL');
  if (own === reachedAt) return ok(`The server's public address is ${own}.`);
  const [ownUrl, reached] = [new URL(own), new URL(reachedAt)];
  const fix = `TESSERA_PUBLIC_URL=${reachedAt}`;
  if (ownUrl.host === reached.host && ownUrl.protocol !== reached.protocol) {
    return wrong(
      `This check used ${reached.protocol}//, but the server's public address is ${own}: links, cookies and token issuers have the wrong scheme.`,
      fix,
    );
  }
  return wrong(
    `This check used ${reachedAt}, but the server's public address is ${own}: links in emails and token issuers have the wrong address.`,
    fix,
  );
}

/** Checks in the greeting of the API whether the request headers arrived. */
export function requestHeadersFinding(greeting: string, projectId: string): Finding {
  const { ok, wrong } = findings('request headers');
  if (greeting.includes(`Project: ${projectId}`)) return ok('The x-stack-… request headers arrive.');
  return wrong(
    'The x-stack-… request headers do not arrive: a proxy in front of the server removes them. Let it pass them on (in nginx also invalid header names).',
    'ignore_invalid_headers off;',
  );
}

/** Checks the response headers that apps must see. */
export function responseHeadersFinding(headers: Headers, isHttps: boolean): Finding {
  const { ok, wrong } = findings('response headers');
  const needed = ['x-stack-request-id', 'date', 'access-control-allow-origin', 'access-control-expose-headers'];
  const missing = needed.filter(name => !headers.has(name));
  if (missing.length > 0) {
    return wrong(
      `A proxy in front of the server removes response headers: ${missing.join(', ')}. Let it pass them on.`,
      passHeaders(missing),
    );
  }
  if (isHttps && !headers.has('strict-transport-security')) {
    return wrong(
      'Responses over https have no strict-transport-security header: the server does not know that clients use https, or a proxy removes the header.',
      passHeaders(['strict-transport-security']),
    );
  }
  return ok('The response headers arrive.');
}

/** A server has plain http, so an https address implies a proxy. */
export function trustedProxyFinding(apiUrl: string, hops: string | undefined): Finding {
  const { ok, warning, skipped } = findings('trusted proxy');
  const isHttps = apiUrl.startsWith('https:');
  const count = Number(hops ?? 0);
  if (Number.isNaN(count)) return skipped('TESSERA_TRUST_PROXY is not a number.');
  if (!isHttps && count === 0) return skipped('There is no sign of a proxy.');
  if (count > 0)
    return ok(`The server trusts the client addresses from ${count} ${count === 1 ? 'proxy' : 'proxies'}.`);
  return warning(
    'The address is https, so there is a proxy in front, but this environment trusts no proxy. All requests seem to come from one address and share its rate limits. Ignore this when the server has another environment.',
    'TESSERA_TRUST_PROXY=1',
  );
}

/** @param skewMs how far the server's clock is ahead, within `uncertaintyMs` */
export function clockFinding(skewMs: number, uncertaintyMs: number): Finding {
  const { ok, wrong } = findings('clock');
  if (Math.abs(skewMs) <= clockToleranceMs + uncertaintyMs + headerResolutionMs) {
    return ok('The clocks of the server and of this machine agree.');
  }
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  const direction = skewMs > 0 ? 'ahead of' : 'behind';
  return wrong(
    `The server's clock is ${seconds} s ${direction} the clock of this machine: codes of authenticator apps are refused and tokens expire early. Correct the clock that is wrong.`,
    'sudo timedatectl set-ntp true',
  );
}

/** @param versionNumber as `server_version_num` */
export function databaseVersionFinding(versionNumber: number): Finding {
  const { ok, wrong } = findings('database version');
  const major = Math.floor(versionNumber / 10_000);
  if (major >= minServerVersion) return ok(`PostgreSQL ${major}.`);
  return wrong(
    `PostgreSQL ${major} is too old: version ${minServerVersion} or newer is needed.`,
    `sudo apt-get install postgresql-${minServerVersion}`,
  );
}

export function migrationsFinding(pending: readonly string[]): Finding {
  const { ok, wrong } = findings('database schema');
  if (pending.length === 0) return ok('Up to date.');
  const count = pending.length === 1 ? '1 migration is' : `${pending.length} migrations are`;
  return wrong(`${count} not applied. The first is ${pending[0]}.`, 'tessera migrate');
}
