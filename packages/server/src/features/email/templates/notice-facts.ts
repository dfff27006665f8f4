import { hasWildcard, parseUrl } from '@tessera/protocol';
import type { ProjectConfig } from '../../../core/project-config.ts';
import { lazily } from '../../../platform/lazily.ts';
import { deviceInWords } from '../../../platform/network/device.ts';
import type { Variables } from '../rendering/fill.ts';

/** Paths of pages below the handler of an app. */
const accountPage = 'account-settings';
const deletionPage = 'account-deletion';

const time = lazily(() => new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' }));
const countries = lazily(() => new Intl.DisplayNames('en', { type: 'region', fallback: 'none' }));

/**
 * What a notice says about the request that caused it: time, device, place, and the page on which the owner of the
 * account can act.
 */
export function noticeFacts(
  { userAgent, countryCode }: Variables,
  { atMillis, config }: { atMillis: number; config: Pick<ProjectConfig, 'domains'> },
): Variables {
  return {
    when: timeInWords(atMillis),
    device: deviceInWords(userAgent ?? null),
    place: countryCode === undefined ? undefined : countries().of(countryCode),
    accountLink: linkOf(accountPage, config),
    keepLink: linkOf(deletionPage, config),
  };
}

/** `3 May 2026 at 14:03 UTC`. */
export function timeInWords(atMillis: number): string {
  return `${time().format(new Date(atMillis))} UTC`;
}

/** A page of the first trusted domain that names one host. The path of the domain comes first: other paths are not trusted. */
function linkOf(page: string, { domains }: Pick<ProjectConfig, 'domains'>): string | undefined {
  const app = domains.find(({ domain }) => !hasWildcard(domain) && parseUrl(domain) !== undefined);
  if (app === undefined) return undefined;
  const path = [new URL(app.domain).pathname, app.handlerPath, page]
    .flatMap(part => part.split('/'))
    .filter(segment => segment !== '');
  return new URL(`/${path.join('/')}`, app.domain).href;
}
