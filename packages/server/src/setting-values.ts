import { availableParallelism } from 'node:os';
import { parseUrl } from '@tessera/protocol';
import * as z from 'zod';
import { isAddressRange } from './platform/network/outbound.ts';

const durationUnitsMs: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };

/** A time such as `10m`, in milliseconds. */
export const duration = z.string().transform((text, context) => {
  const match = /^(\d+)(ms|s|m|h)$/.exec(text);
  const unitMs = durationUnitsMs[match?.[2] ?? ''];
  if (match !== null && unitMs !== undefined) return Number(match[1]) * unitMs;
  context.addIssue({ code: 'custom', message: 'must be a number with a unit: 600s, 10m, 1h' });
  return z.NEVER;
});

/** A whole number in a range, both ends included. */
export function whole(min: number, max: number, message = `must be a whole number from ${min} to ${max}`) {
  return z.string().regex(/^\d+$/, message).transform(Number).pipe(z.number().min(min, message).max(max, message));
}

/** One of a few words. */
export function oneOf<const Word extends string>(...words: Word[]) {
  return z.enum(words, `must be ${words.join(' or ')}`);
}

/** An http or https address without query and credentials; slashes at its end are removed. */
export const origin = z.string().transform((text, context) => {
  const url = parseUrl(text);
  if (
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    url.search === '' &&
    url.hash === '' &&
    url.username === '' &&
    url.password === ''
  ) {
    return text.replace(/(?<!\/)\/+$/, '');
  }
  context.addIssue({ code: 'custom', message: 'must be an http or https address such as https://auth.example.com' });
  return z.NEVER;
});

/**
 * A mail server: `smtp://user:password@host:port`, or `smtps://` for TLS from the first byte. `?requireTLS=` sets
 * whether `smtp://` may continue without TLS; the default depends on the mode.
 */
export const smtpServer = z.string().transform((text, context) => {
  const url = parseUrl(text);
  if (url === undefined || !/^smtps?:$/.test(url.protocol) || url.hostname === '') {
    context.addIssue({ code: 'custom', message: 'must be like smtp://user:password@host:port' });
    return z.NEVER;
  }
  const requireTls = url.searchParams.get('requireTLS') ?? undefined;
  const isQueryKnown = [...url.searchParams].every(([name]) => name === 'requireTLS');
  if (!isQueryKnown || (requireTls !== undefined && !/^(?:true|false)$/.test(requireTls))) {
    context.addIssue({ code: 'custom', message: 'takes one parameter: ?requireTLS=true or ?requireTLS=false' });
    return z.NEVER;
  }
  const credentials = decodeCredentials(url);
  if (credentials === undefined) {
    context.addIssue({ code: 'custom', message: 'has a % in user or password that encodes nothing: write %25' });
    return z.NEVER;
  }
  const isSecure = url.protocol === 'smtps:';
  const port = url.port === '' ? (isSecure ? 465 : 587) : Number(url.port);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return {
    host,
    port,
    isSecure,
    ...credentials,
    givenRequiresTls: requireTls === undefined ? undefined : requireTls === 'true',
  };
});

function decodeCredentials({ username, password }: URL): { username: string; password: string } | undefined {
  try {
    return { username: decodeURIComponent(username), password: decodeURIComponent(password) };
  } catch {
    // URIError: a percent sign that begins no encoded character, as in a password that was not encoded.
    return undefined;
  }
}

const maxWorkers = 128;

/** A number of processes; `auto`: one for each core that this process may use. */
export const workerCount = z
  .string()
  .transform(text => (text === 'auto' ? String(Math.min(availableParallelism(), maxWorkers)) : text))
  .pipe(whole(1, maxWorkers, `must be auto or a whole number from 1 to ${maxWorkers}`));

export const addressRanges = z
  .string()
  .transform(text => text.split(',').map(part => part.trim()))
  .refine(parts => parts.every(isAddressRange), 'must be ranges such as 10.0.0.0/8,fd00::/8');

/** `name=value,name=value` with percent-encoded values, as OpenTelemetry writes headers. */
export const headerList = z.string().transform((text, context) => {
  try {
    const pairs = text.split(',').map(pair => {
      // Without this a lone token would become a name, and the collector would refuse every request.
      if (!pair.includes('=')) throw new TypeError('a header without a value');
      return [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    });
    return Object.fromEntries(
      new Headers(
        pairs.map(([name = '', value = '']): [string, string] => [name.trim(), decodeURIComponent(value)]),
      ).entries(),
    );
  } catch {
    context.addIssue({ code: 'custom', message: 'must be headers such as authorization=Bearer%20token,x-tenant=a' });
    return z.NEVER;
  }
});

const shareMessage = 'must be a number from 0 to 1';
/** A text of blanks is no number; JavaScript reads it as 0. */
export const share = z
  .string()
  .regex(/\d/, shareMessage)
  .transform(Number)
  .pipe(z.number(shareMessage).min(0, shareMessage).max(1, shareMessage));

export const postgresUrl = z.string().superRefine((text, context) => {
  const problem = postgresUrlProblem(text);
  if (problem !== undefined) context.addIssue({ code: 'custom', message: problem });
});

/** What is wrong with the URL of a database, as the end of a sentence; undefined when the driver can read it. */
export function postgresUrlProblem(text: string): string | undefined {
  // Of another scheme the driver ignores the name.
  if (!/^postgres(?:ql)?:\/\//.test(text)) return 'must start with postgresql://';
  // The driver accepts a URL without a host: `postgresql://user@/name?host=/run/postgresql`.
  const isReadable = [text, text.replace('@/', '@localhost/')].some(url => parseUrl(url) !== undefined);
  return isReadable
    ? undefined
    : 'must be like postgresql://user:password@host:5432/name. In user and password write %2F for /, %23 for # and %3F for ?';
}
