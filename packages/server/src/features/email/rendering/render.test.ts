import { describe, expect, test } from 'vitest';
import type { AccountNoticeTemplate, Template as AnyTemplate, TemplateVariables } from '../queue/index.ts';
import { fillContent } from '../templates/blocks.ts';
import { palette } from '../templates/palette.ts';
import { builtInTemplates, defaultTemplate } from '../templates/templates.ts';
import { type BlockOf, type MailBlock, mailContentOf } from './content.ts';
import { buttonColors, contrast, darkButtonColors } from './look.ts';
import { renderEmail } from './render.ts';

const senderAddress = 'noreply@acme.example';
const link = 'https://app.example/handler?code=0123456789abcdefghjkmnpqrstvwxyz0123456789abc&after=%2Fhome&x=%20';

/** Account notices have their own test file. */
type Template = Exclude<AnyTemplate, AccountNoticeTemplate | 'webhook_endpoint_disabled'>;

const emails: { readonly [T in Template]: TemplateVariables[T] } = {
  email_verification: { emailVerificationLink: link, userDisplayName: 'Ada' },
  password_reset: { passwordResetLink: link, userDisplayName: 'Ada' },
  magic_link: { magicLink: link, otp: 'AB12CD' },
  reauthentication_code: { otp: 'AB12CD' },
  team_invitation: { teamInvitationLink: link, teamDisplayName: 'Engineers' },
  sign_in_invitation: { signInInvitationLink: link },
  project_invitation: { ofProject: 'Shop', inviterName: 'Ada', asRole: 'an admin', projectInvitationLink: link },
  project_transferred: { ofProject: 'Shop', oldOwner: 'Ada', newOwner: 'Bob' },
  api_key_leaked: { description: 'CI', lastFour: 'wxyz', projectDisplayName: 'Acme' },
  failed_emails_digest: {
    ofProject: 'Shop',
    failedCount: '12 emails',
    failures: '“Join us” to ada@example.com\n“Sign in” to bob@example.com',
    dashboardLink: link,
  },
};

const subjects: Readonly<Record<Template, string>> = {
  email_verification: 'Verify your email at Acme',
  password_reset: 'Reset your password at Acme',
  magic_link: 'Sign in to Acme: Your code is AB12CD',
  reauthentication_code: 'Confirm it’s you at Acme: Your code is AB12CD',
  team_invitation: 'Invitation to join Engineers at Acme',
  sign_in_invitation: 'You are invited to Acme',
  project_invitation: 'Ada invited you to Shop',
  project_transferred: 'Shop has a new owner',
  api_key_leaked: 'An API key of Acme was found in public',
  failed_emails_digest: 'Some of your emails could not be sent',
};

function render<T extends Template>(
  template: T,
  variables: Partial<TemplateVariables[T]> = {},
  projectDisplayName = 'Acme',
) {
  return renderEmail({ template, variables: { ...emails[template], ...variables }, projectDisplayName, senderAddress });
}

const templates = Object.keys(emails) as Template[];

describe.each(templates)('the built-in template %s', template => {
  test('has a subject, and text and HTML with the same content', async () => {
    const { subject, text, html } = await render(template);
    expect(subject).toBe(subjects[template]);
    expect(text).toMatchSnapshot();
    const words = html
      .slice(html.indexOf('<table'))
      .replace(/<[^>]+>/g, '\n')
      .split('\n')
      .filter(line => line.trim() !== '' && !line.startsWith('If the button does not work'));
    expect(words).not.toEqual([]);
    for (const line of words) expect(text).toContain(line.replaceAll('&#39;', "'").replaceAll('&amp;', '&'));
    expect(text).not.toMatch(/[{}]|undefined|null/);
  });

  test('consists of blocks that a dashboard may send back', () => {
    const { content } = builtInTemplates[template];
    expect(mailContentOf(JSON.parse(JSON.stringify(content)))).toEqual(content);
  });
});

const withoutLink: readonly Template[] = ['api_key_leaked', 'reauthentication_code', 'project_transferred'];
const linksOf = (text: string) => text.split('\n').filter(line => line.includes('://'));

test.each(templates.filter(template => !withoutLink.includes(template)))(
  'the built-in template %s has its link once in the text, alone on a line, and in the HTML behind a button and as a link to copy',
  async template => {
    const { text, html } = await render(template);
    expect(linksOf(text)).toEqual([link]);
    const escaped = link.replaceAll('&', '&amp;');
    expect(html.split(`href="${escaped}"`)).toHaveLength(3);
    expect(html).toContain(`>${escaped}</a>`);
  },
);

test.each(withoutLink)('the built-in template %s has no link', async template => {
  const { text, html } = await render(template);
  expect(linksOf(text)).toEqual([]);
  expect(html).not.toContain('href=');
});

describe('the frame of a built-in template', () => {
  const branding = { logoUrl: 'https://cdn.example/logo.png', color: '#facc15', postalAddress: 'Acme GmbH\nBerlin' };
  const branded = (own?: Parameters<typeof renderEmail>[1], looks: object = branding) =>
    renderEmail(
      {
        template: 'magic_link',
        variables: emails.magic_link,
        projectDisplayName: 'Acme',
        senderAddress,
        branding: looks,
      },
      own,
    );

  test('has the name of the project without a logo, and the address of the sender', async () => {
    const { html, text } = await render('magic_link');
    expect(html).toContain('>Acme</span>');
    expect(html).toContain('>Sent by Acme (noreply@acme.example)</td>');
    expect(text).toMatch(/\n\n---\n\nSent by Acme \(noreply@acme\.example\)\n$/);
  });

  test('shows a wide logo in its proportions', async () => {
    const { html } = await branded();
    const [, looks = ''] = /<img class="t-logo"[^>]* style="([^"]*)"/.exec(html) ?? [];
    expect(looks.split(';')).toEqual(
      expect.arrayContaining(['height:auto', 'width:auto', 'max-height:40px', 'max-width:240px']),
    );
  });

  test('has the logo, the colour and the postal address of the project', async () => {
    const { html, text } = await branded();
    expect(html).toContain('<img class="t-logo" src="https://cdn.example/logo.png" alt="Acme"');
    expect(html).toContain('background-color:#facc15;color:#18181b');
    expect(html).toContain('Sent by Acme (noreply@acme.example)\nAcme GmbH\nBerlin</td>');
    expect(text).toContain('Sent by Acme (noreply@acme.example)\nAcme GmbH\nBerlin\n');
  });

  test('has a dark mode, and a light button where the colour of the project is dark', async () => {
    const { html } = await branded(undefined, { color: '#1e1b4b' });
    expect(html).toContain('<meta name="color-scheme" content="light dark">');
    expect(html).toContain('@media (prefers-color-scheme: dark)');
    expect(html).toContain('.t-button { background-color:#f4f4f5 !important;color:#18181b !important }');
  });

  test('shows the first sentence after the subject in message lists', async () => {
    const { html } = await render('magic_link');
    expect(html).toContain('opacity:0">Enter this code where you are signing in:&#847;');
  });

  test('stays when a project changed only the subject', async () => {
    const sentBack = JSON.parse(JSON.stringify(builtInTemplates.magic_link.content));
    const content = mailContentOf(sentBack) ?? {};
    const { subject, html } = await branded({ subject: 'Own subject', content });
    expect(subject).toBe('Own subject');
    expect(html).toContain('Sent by Acme');
  });

  test.each([
    ['email_verification', { ...emails.email_verification, otp: 'AB12CD' }],
    ['magic_link', { ...emails.magic_link, linkOnly: 'yes' }],
  ] as const)('stays in the variant of %s when a project changed only the subject', async (template, variables) => {
    const email = { template, variables, projectDisplayName: 'Acme', senderAddress, branding };
    const { content } = defaultTemplate(template);
    const own = await renderEmail(email, { subject: 'Own subject', content: mailContentOf(content) ?? {} });
    expect(own.text).toBe((await renderEmail(email)).text);
    expect(own).toMatchObject({ subject: 'Own subject', html: expect.stringContaining('class="t-logo"') });
  });

  test('is left out of a template with own content', async () => {
    const text: MailBlock = { type: 'Text', data: { props: { text: 'Own words' } } };
    const root: MailBlock = { type: 'EmailLayout', data: { childrenIds: ['a'] } };
    const { html } = await branded({ subject: 'Own subject', content: { root, a: text } });
    expect(html).not.toMatch(/Sent by|t-logo"|prefers-color-scheme/);
    expect(html).toContain('opacity:0">Own subject</div>');
  });
});

describe('the colours of a built-in template', () => {
  const { light, dark } = palette;
  test.each([
    ['text on a card', light.ink, light.card, 4.5],
    ['quiet text on a card', light.quiet, light.card, 4.5],
    ['quiet text on the page', light.quiet, light.page, 4.5],
    ['dark mode: text on a card', dark.ink, dark.card, 4.5],
    ['dark mode: quiet text on a card', dark.quiet, dark.card, 4.5],
    ['dark mode: quiet text on the page', dark.quiet, dark.page, 4.5],
  ])('%s has enough contrast', (_, text, background, atLeast) => {
    expect(contrast(text, background)).toBeGreaterThanOrEqual(atLeast);
  });

  test.each(['#000000', '#ffffff', '#18181b', '#4338ca', '#facc15', '#16a34a', '#777777', '#ef4444'])(
    'the text of a button in %s can be read in both modes',
    color => {
      for (const { background, text } of [buttonColors(color), darkButtonColors(color)])
        expect(contrast(background, text)).toBeGreaterThanOrEqual(4);
    },
  );
});

test('the sign-in code is alone on its line', async () => {
  const { text } = await render('magic_link');
  expect(text.split('\n').filter(line => line.includes('AB12CD'))).toEqual(['AB12CD']);
});

test('an email to a user without a name has no greeting by name', async () => {
  const { text } = await renderEmail({
    template: 'password_reset',
    variables: { passwordResetLink: link },
    projectDisplayName: 'Acme',
    senderAddress,
  });
  expect(text).toContain('\n\nWe received a request');
});

describe('control 75: names in emails', () => {
  test('are shown as text, whatever they contain', async () => {
    const { html } = await render('team_invitation', { teamDisplayName: `<img src=x onerror="alert(1)">&'` });
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;&#39;');
  });

  test('without a visible character leave an invitation that reads as a sentence', async () => {
    const { subject, text } = await render('team_invitation', { teamDisplayName: ' \u200b ' });
    expect(subject).toBe('Invitation to join a team at Acme');
    expect(text).toContain('Join a team\n');
    expect(text).toContain('You are invited to a team at Acme.');
  });

  test('add no link', async () => {
    const teamDisplayName = 'Team [here](https://evil.com) www.evil.com {{teamInvitationLink}}';
    const { html, text, subject } = await render('team_invitation', { teamDisplayName }, 'Go to https://evil.com');
    for (const part of [html, text, subject]) expect(part).not.toMatch(/evil\.com(?! was|\.|<| \(| *$)/m);
    const targets = [...html.matchAll(/href="([^"]+)"/g)].map(([, target]) => target);
    expect(new Set(targets)).toEqual(new Set([link.replaceAll('&', '&amp;')]));
    expect(text.match(/https?:\/\//g)).toHaveLength(1);
  });

  test('add no line', async () => {
    const { subject, text } = await render(
      'email_verification',
      { userDisplayName: 'Ada\r\n\r\nAB12CD\n' },
      'A\r\nBcc: x@y.z',
    );
    expect(subject).toBe('Verify your email at A Bcc: x@y.z');
    expect(text.split('\n')).not.toContain('AB12CD');
  });
});

describe('template blocks of another dashboard', () => {
  const layout = (childrenIds: string[]): BlockOf<'EmailLayout'> => ({ type: 'EmailLayout', data: { childrenIds } });
  const words = (text: string): MailBlock => ({ type: 'Text', data: { props: { text } } });
  const own = (blocks: Record<string, MailBlock>, subject = 's') =>
    renderEmail(
      { template: 'magic_link', variables: emails.magic_link, projectDisplayName: 'Acme', senderAddress },
      { subject, content: blocks },
    );

  test('of every type are rendered', async () => {
    const padding = { top: 1, bottom: 2, left: 3, right: 4 };
    const { html, text } = await own({
      root: layout(['container', 'columns', 'image', 'spacer', 'missing']),
      container: {
        type: 'Container',
        data: {
          style: { backgroundColor: '#ffeedd', borderColor: '#112233', borderRadius: 4, padding },
          props: { childrenIds: ['a'] },
        },
      },
      columns: {
        type: 'ColumnsContainer',
        data: {
          props: { columnsCount: 2, columns: [{ childrenIds: ['a'] }, { childrenIds: ['b'] }, { childrenIds: ['a'] }] },
        },
      },
      a: words('See [the guide](https://docs.example/x) first'),
      b: { type: 'Heading', data: { props: { text: 'Big', level: 'h1' }, style: { textAlign: 'center' } } },
      image: {
        type: 'Image',
        data: { props: { url: 'https://cdn.example/a.png', alt: 'A <logo>', linkHref: '{{magicLink}}' } },
      },
      spacer: { type: 'Spacer', data: { props: { height: 40 } } },
    });
    expect(html.slice(html.indexOf('<body'))).toMatchSnapshot();
    expect(text).toBe(
      [
        'See the guide (https://docs.example/x) first',
        'See the guide (https://docs.example/x) first',
        'Big',
        `A <logo>\n${link}\n`,
      ].join('\n\n'),
    );
  });

  test('cannot run code', async () => {
    const { html } = await own({
      root: layout(['button', 'text', 'image']),
      button: { type: 'Button', data: { props: { text: 'x', url: ' java\u0000script:alert(1)' } } },
      text: words('[x](javascript:alert(1)) <script>alert(1)</script>'),
      image: { type: 'Image', data: { props: { url: 'data:text/html,x', linkHref: 'data:text/html,x' } } },
    });
    expect(html).not.toMatch(/href|<script|src=/);
  });

  test('control 88: that contain each other are rendered with an end', async () => {
    await expect(fillContent({ root: layout(['root', 'root']) }, {})).rejects.toThrow('too many blocks');
    await expect(fillContent({}, {})).rejects.toThrow('no block "root"');
  });

  test('that cannot be rendered are replaced by the built-in template, so that the recipient gets the link', async () => {
    const ours = await render('magic_link');
    const large: MailBlock = { type: 'Text', data: { props: { text: 'x'.repeat(1_000_000) } } };
    const many: MailBlock = { type: 'Text', data: { props: { text: '{{otp}}'.repeat(750) } } };
    const broken: Record<string, MailBlock>[] = [
      {},
      { root: layout(['root', 'root']) },
      { root: layout(Array<string>(499).fill('missing').concat('a', 'b')), a: words('a') },
      { root: layout(Array<string>(400).fill('large')), large },
      { root: layout(['a', 'b', 'c']), a: many, b: { ...many }, c: { ...many } },
    ];
    for (const blocks of broken) {
      const { subject, text, html } = await own(blocks, 'Own words for {{otp}}');
      expect(subject).toBe('Own words for AB12CD');
      expect(text).toBe(ours.text);
      expect(html.length).toBeLessThan(ours.html.length + 1000);
    }
  });

  test('are rendered within bounds, whatever their sizes', async () => {
    const padding = { top: -5, bottom: 1e300, left: 1, right: null };
    const { html } = await own({
      root: layout(['image', 'spacer']),
      image: {
        type: 'Image',
        data: { props: { url: 'https://a.example/a.png', width: 1e21, height: -1 }, style: { padding } },
      },
      spacer: { type: 'Spacer', data: { props: { height: 123_456_789 } } },
    });
    expect(html).toContain('padding:0px 0px 10000px 1px');
    expect(html).toContain('width:10000px;height:0px');
    expect(html).toContain('height:10000px;line-height');
  });

  test('have a subject that is not cut within an emoji', async () => {
    const { subject } = await own({ root: layout([]) }, `${'x'.repeat(249)}😀`);
    expect(subject).toBe('x'.repeat(249));
  });

  test('have a subject of one line and limited length', async () => {
    const { subject } = await own({ root: layout([]) }, `a\r\nBcc: b@example.com ${'x'.repeat(1000)}`);
    expect(subject).toMatch(/^a Bcc: b@example.com x+$/);
    expect(subject).toHaveLength(250);
  });
});
