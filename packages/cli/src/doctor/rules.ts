import { type Finding, findings } from './check.ts';
import { passHeaders } from './fixes.ts';

/** Clocks that differ by less than this do no harm. */
const clockToleranceMs = 30_000;
/** The `Date` header has no fractions of a second. */
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
    `Node.js ${version} reached its end of life on ${lastDay} and gets no security fixes. Run the newest LTS release.`,
    'nvm install --lts',
  );
}

/** Compares the address that the server believes to have with the one that it was reached by. */
export function publicUrlFinding(reachedAt: string, own: string): Finding {
  const { ok, wrong } = findings('public URL');
  if (own === reachedAt) return ok(`The server knows itself as ${own}.`);
  const [ownUrl, reached] = [new URL(own), new URL(reachedAt)];
  const fix = `TESSERA_PUBLIC_URL=${reachedAt}`;
  if (ownUrl.host === reached.host && ownUrl.protocol !== reached.protocol) {
    return wrong(
      `The server was reached by ${reached.protocol}//, but believes to be at ${own}: links, cookies and token issuers have the wrong scheme.`,
      fix,
    );
  }
  return wrong(
    `The server was reached at ${reachedAt}, but believes to be at ${own}: links in mails and the issuer of tokens name the wrong address.`,
    fix,
  );
}

/** What the greeting of the API says about who asked. */
export function requestHeadersFinding(greeting: string, projectId: string): Finding {
  const { ok, wrong } = findings('request headers');
  if (greeting.includes(`Project: ${projectId}`)) return ok('The x-stack-… headers of requests arrive.');
  return wrong(
    'The x-stack-… headers of requests do not arrive: a proxy in front of the server takes them away. Let it pass them on (nginx: also names that it holds for invalid).',
    'ignore_invalid_headers off;',
  );
}

/** Headers of answers that apps need to see. */
export function answerHeadersFinding(headers: Headers, isHttps: boolean): Finding {
  const { ok, wrong } = findings('answer headers');
  const needed = ['x-stack-request-id', 'date', 'access-control-allow-origin', 'access-control-expose-headers'];
  const missing = needed.filter(name => !headers.has(name));
  if (missing.length > 0) {
    return wrong(
      `A proxy in front of the server takes headers of answers away: ${missing.join(', ')}. Let it pass them on.`,
      passHeaders(missing),
    );
  }
  if (isHttps && !headers.has('strict-transport-security')) {
    return wrong(
      'Answers over https carry no strict-transport-security: the server does not know that it is reached by https, or a proxy takes the header away.',
      passHeaders(['strict-transport-security']),
    );
  }
  return ok('The headers of answers arrive.');
}

/** A server speaks plain http: behind an https address there is a proxy. */
export function trustedProxyFinding(apiUrl: string, hops: string | undefined): Finding {
  const { ok, warning, skipped } = findings('trusted proxy');
  const isHttps = apiUrl.startsWith('https:');
  const count = Number(hops ?? 0);
  if (!isHttps && count === 0) return skipped('Nothing says that there is a proxy.');
  if (count > 0) return ok(`The addresses that ${count} ${count === 1 ? 'proxy' : 'proxies'} forward are believed.`);
  return warning(
    'The address is https, so there is a proxy in front, but this environment trusts none: everybody seems to come from it, and limits count all people as one. Ignore this where the server has another environment.',
    'TESSERA_TRUST_PROXY=1',
  );
}

/** @param skewMs how far the server's clock is ahead, give or take `uncertaintyMs` */
export function clockFinding(skewMs: number, uncertaintyMs: number): Finding {
  const { ok, wrong } = findings('clock');
  if (Math.abs(skewMs) <= clockToleranceMs + uncertaintyMs + headerResolutionMs) {
    return ok('The clocks of the server and of this machine agree.');
  }
  const seconds = Math.round(Math.abs(skewMs) / 1000);
  const direction = skewMs > 0 ? 'ahead of' : 'behind';
  return wrong(
    `The server's clock is ${seconds} s ${direction} the one of this machine: codes of authenticator apps are refused and tokens expire early. Correct whichever is wrong.`,
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
  return wrong(`${pending.length} migrations are not applied, ${pending[0]} the first of them.`, 'tessera migrate');
}
