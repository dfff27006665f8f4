import { emailThemes } from '@tessera/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '../../../test/harness.ts';
import { invalid, openScene, type Scene } from '../../sign-in/scene.fixtures.ts';

let server: TestServer;
let scene: Scene;
beforeAll(async () => {
  server = await openTestServer();
  scene = await openScene(server);
});
afterAll(() => server.close());

const render = (body: unknown) => scene.call('POST /emails/render-email', { level: 'admin', body });
const htmlOf = async (preview_html: string, theme: string = emailThemes[0]) =>
  ((await render({ theme, preview_html })) as { body: { html: string } }).body.html;

describe('POST /emails/render-email', () => {
  test('control 88: more than fifty long texts that wait are refused with 429', async () => {
    const body = { theme: 'default-light', preview_html: `<p>${'x'.repeat(20_000)}</p>` };
    const answers = await Promise.all(Array.from({ length: 150 }, () => render(body)));
    const refused = answers.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const answer of refused) expect(answer).toEqual({ status: 429, says: 'a sentence' });
    expect((await render(body)).status).toBe(200);
  });

  test.each(emailThemes)('renders HTML in the theme %s', async theme => {
    const preview_html = '<h1>Hello</h1><p>Big <b>news</b></p>';
    expect(await render({ theme, preview_html })).toEqual({
      status: 200,
      body: { html: expect.stringContaining(`\n${preview_html}\n`) },
    });
  });

  test('adds no unsubscribe link and fills no variables', async () => {
    const html = await htmlOf('<p>{{projectDisplayName}}</p>');
    expect(html).toContain('<p>{{projectDisplayName}}</p>');
    expect(html).not.toContain('nsubscribe');
  });

  test('HTML of more than 200,000 characters is refused, because cleaning it takes the time of other requests', async () => {
    const preview_html = 'a'.repeat(200_000);
    expect(await render({ theme: 'default-light', preview_html })).toMatchObject({ status: 200 });
    const longer = `${preview_html}a`;
    expect(await render({ theme: 'default-light', preview_html: longer })).toMatchObject({ code: 'SCHEMA_ERROR' });
  });

  test('renders empty HTML', async () => {
    expect(await htmlOf('')).toContain('max-width:600px');
  });

  test('control 88: removes scripts and external content', async () => {
    const html = await htmlOf(
      `<script>fetch('/x')</script><img src=x onerror=alert(1)><iframe src="/x"></iframe><a href="javascript:x">y</a>`,
    );
    expect(html).not.toMatch(/script|onerror|iframe/);
  });

  test.each(['<div>', '</td></tr></table>', '<!-- x', '<td>x</td>', '<b>'.repeat(500)])(
    'what cannot be shown is refused: %s',
    async preview_html => {
      expect(await render({ theme: 'default-light', preview_html })).toEqual({
        status: 400,
        code: 'EMAIL_RENDERING_ERROR',
        details: { error: expect.stringMatching(/^(<|the|a )/) },
      });
    },
  );

  test.each([
    { theme: 'default', preview_html: '' },
    { theme: 'default-light' },
    { preview_html: '' },
    { theme: 'default-dark', preview_html: null },
    { theme: 'default-dark', preview_html: '', subject: 'x' },
  ])('a body that does not fit: %j', async body => {
    expect(await render(body)).toEqual(invalid);
  });
});
