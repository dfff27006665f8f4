import { createHash } from 'node:crypto';
import { isUuid } from '@tessera/protocol';
import type { Settings } from '../../../env.ts';
import { publicPath } from '../../../http/public-path.ts';
import { htmlType } from '../../../http/response/content-types.ts';
import type { Reply } from '../../../http/response/reply.ts';
import { commonHeaders } from '../../../http/response/respond.ts';
import type { Page } from '../../../http/router.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Secrets } from '../../../platform/crypto/secrets.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { Html } from '../../../platform/html.ts';
import { isPart, mailPage, script } from './pages.ts';
import { createCatcher } from './transport.ts';
import { caughtView } from './wire.ts';

interface CatcherPagesDeps {
  readonly settings: Pick<Settings, 'publicUrl' | 'smtp'>;
  readonly clock: Clock;
  readonly db: Database;
  readonly secrets: Secrets;
}

const scriptHash = createHash('sha256').update(script).digest('base64');

const pagePolicy = [
  `default-src 'none'`,
  `style-src 'unsafe-inline'`,
  `script-src 'sha256-${scriptHash}'`,
  `connect-src 'self'`,
  `frame-src 'self'`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'none'`,
].join('; ');

/** An email may show itself and its images and open links in a new window, and nothing else. */
const emailPolicy = [
  `default-src 'none'`,
  `style-src 'unsafe-inline'`,
  `img-src http: https: data:`,
  `base-uri 'none'`,
  `form-action 'none'`,
  `frame-ancestors 'self'`,
  `sandbox allow-popups allow-popups-to-escape-sandbox`,
].join('; ');

/** The pages with the emails that were caught instead of sent. Mounted in development only. */
export function mailCatcherPages(deps: CatcherPagesDeps): Page[] {
  const catcher = createCatcher(deps);
  const mailHost = deps.settings.smtp?.host;
  const prefix = publicPath(deps.settings);
  const common = {
    ...commonHeaders(deps.settings.publicUrl.startsWith('https:')),
    'referrer-policy': 'no-referrer',
  };

  const answer = (markup: Html | string, status = 200, policy = pagePolicy): Reply => ({
    status,
    headers: { ...common, 'content-type': htmlType, 'content-security-policy': policy },
    body: typeof markup === 'string' ? markup : markup.text,
  });

  const list: Page['value'] = async ({ query }) => {
    const mails = await catcher.list();
    return answer(mailPage({ prefix, mails, part: partOf(query.part), isList: true, mailHost }));
  };

  const listAsJson: Page['value'] = async () => {
    const body = JSON.stringify({ items: (await catcher.list()).map(caughtView) });
    return { status: 200, headers: { ...common, 'content-type': 'application/json' }, body };
  };

  const show: Page['value'] = async ({ params, query }) => {
    const mails = await catcher.list();
    const chosen = mails.find(({ id }) => id === params.id?.toLowerCase());
    const page = mailPage({ prefix, mails, chosen, part: partOf(query.part), isList: false, mailHost });
    return answer(page, chosen === undefined ? 404 : 200);
  };

  const showHtml: Page['value'] = async ({ params: { id = '' } }) => {
    const mail = isUuid(id) ? await catcher.find(id) : undefined;
    return answer(mail?.html ?? '', mail === undefined ? 404 : 200, emailPolicy);
  };

  return [
    { method: 'GET', path: '/dev/mail', value: list },
    { method: 'GET', path: '/dev/mail.json', value: listAsJson },
    { method: 'GET', path: '/dev/mail/{id}', value: show },
    { method: 'GET', path: '/dev/mail/{id}/html', value: showHtml },
  ];
}

function partOf(query: string | undefined) {
  return query !== undefined && isPart(query) ? query : 'html';
}
