import { describe, expect, test } from 'vitest';
import type { AccountNoticeTemplate, Template as AnyTemplate, TemplateVariables } from '../queue/index.ts';
import { fillContent } from '../templates/blocks.ts';
import { builtInTemplates } from '../templates/templates.ts';
import { type BlockOf, type MailBlock, mailContentOf } from './content.ts';
import { renderEmail } from './render.ts';

const link = 'https://app.example/handler?code=0123456789abcdefghjkmnpqrstvwxyz0123456789abc&after=%2Fhome&x=%20';

/** Account notices have their own test file. */
type Template = Exclude<AnyTemplate, AccountNoticeTemplate | 'webhook_endpoint_disabled'>;

const emails: { readonly [T in Template]: TemplateVariables[T] } = {
  email_verification: { emailVerificationLink: link, userDisplayName: 'Ada' },
  password_reset: { passwordResetLink: link, userDisplayName: 'Ada' },
  magic_link: { magicLink: link, otp: 'AB12CD' },
  team_invitation: { teamInvitationLink: link, teamDisplayName: 'Engineers' },
  sign_in_invitation: { signInInvitationLink: link },
  api_key_leaked: { description: 'CI', lastFour: 'wxyz', projectDisplayName: 'Acme' },
  failed_emails_digest: {
    ofProject: 'Shop',
    failedCount: '12 mails',
    failures: '“Join us” to ada@example.com\n“Sign in” to bob@example.com',
    dashboardLink: link,
  },
};

const subjects: Readonly<Record<Template, string>> = {
  email_verification: 'Verify your email at Acme',
  password_reset: 'Reset your password at Acme',
  magic_link: 'Sign in to Acme: Your code is AB12CD',
  team_invitation: 'Invitation to join Engineers at Acme',
  sign_in_invitation: 'You are invited to Acme',
  api_key_leaked: 'An API key of Acme was found in public',
  failed_emails_digest: 'Some of your mail could not be sent',
};

function render<T extends Template>(
  template: T,
  variables: Partial<TemplateVariables[T]> = {},
  projectDisplayName = 'Acme',
) {
  return renderEmail({ template, variables: { ...emails[template], ...variables }, projectDisplayName });
}

const templates = Object.keys(emails) as Template[];

describe.each(templates)('the built-in template %s', template => {
  const hasLink = template !== 'api_key_leaked';

  test('has a subject, and text and HTML with the same content', async () => {
    const { subject, text, html } = await render(template);
    expect(subject).toBe(subjects[template]);
    expect(text).toMatchSnapshot();
    const words = html
      .replace(/[\s\S]*<\/div>\n(?=<table)/, '')
      .replace(/<[^>]+>/g, '\n')
      .split('\n')
      .filter(line => line.trim() !== '');
    for (const line of words) expect(text).toContain(line.replaceAll('&#39;', "'"));
    expect(text).not.toMatch(/[{}]|undefined|null/);
  });

  test.runIf(hasLink)('has its link once in the text, alone on a line, and once behind a button', async () => {
    const { text, html } = await render(template);
    expect(text.split('\n').filter(line => line.includes('://'))).toEqual([link]);
    expect(html.split(`href="${link.replaceAll('&', '&amp;')}"`)).toHaveLength(2);
  });

  test('consists of blocks that a dashboard may send back', () => {
    const { content } = builtInTemplates[template];
    expect(mailContentOf(JSON.parse(JSON.stringify(content)))).toEqual(content);
  });
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
  });
  expect(text).toContain('\n\nSomebody, hopefully you,');
});

describe('control 75: names in emails', () => {
  test('are shown as text, whatever they contain', async () => {
    const { html } = await render('team_invitation', { teamDisplayName: `<img src=x onerror="alert(1)">&'` });
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img src=x onerror=&quot;alert(1)&quot;&gt;&amp;&#39;');
  });

  test('add no link', async () => {
    const teamDisplayName = 'Team [here](https://evil.com) www.evil.com {{teamInvitationLink}}';
    const { html, text, subject } = await render('team_invitation', { teamDisplayName }, 'Go to https://evil.com');
    for (const part of [html, text, subject]) expect(part).not.toMatch(/evil\.com(?! was|\.|<| *$)/m);
    expect([...html.matchAll(/href="([^"]+)"/g)].map(([, target]) => target)).toEqual([link.replaceAll('&', '&amp;')]);
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
      { template: 'magic_link', variables: emails.magic_link, projectDisplayName: 'Acme' },
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
      expect(text.slice(0, 1000)).toBe(ours.text);
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

  test('have a subject of one line and limited length', async () => {
    const { subject } = await own({ root: layout([]) }, `a\r\nBcc: b@example.com ${'x'.repeat(1000)}`);
    expect(subject).toMatch(/^a Bcc: b@example.com x+$/);
    expect(subject).toHaveLength(250);
  });
});
