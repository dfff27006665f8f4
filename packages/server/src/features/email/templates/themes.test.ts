import { emailThemes } from '@tessera/protocol';
import { describe, expect, test } from 'vitest';
import { renderFramed, renderFramedText, sanitizeAuthoredHtml } from './themes.ts';

const link = 'https://auth.example/api/v1/emails/unsubscribe-link?code=abc&x="1"';
const footer = {
  unsubscription: { url: link, categoryName: 'Marketing' },
  sender: ['Sent by Acme (news@acme.example)', 'Acme GmbH, Berlin'],
};

describe.each(emailThemes)('the theme %s', theme => {
  test('puts the content into a centred column of at most 600 pixels', () => {
    const html = renderFramed({ theme, html: '<p>Hello</p>', subject: 'A <b>' });
    expect(html).toMatch(/^<!doctype html>/);
    expect(html).toContain('max-width:600px;margin:0 auto');
    expect(html).toContain('\n<p>Hello</p>\n');
    expect(html).toContain('<title>A &lt;b&gt;</title>');
    expect(html).not.toContain('Unsubscribe');
  });

  test('keeps wide pictures, code and words within the column, unless the author has other styles', () => {
    const html = renderFramed({ theme, html: '<style>img { max-width: 50% }</style><img>' });
    expect(html).toContain('<style>img { max-width: 100%; object-fit: contain } pre { white-space: pre-wrap }</style>');
    expect(html.indexOf('max-width: 100%')).toBeLessThan(html.indexOf('max-width: 50%'));
    expect(html).toContain('word-break:break-word');
  });

  test('has the unsubscribe link below the content, inside the column', () => {
    const html = renderFramed({ theme, html: '<p>Hello</p>', footer });
    const inside = html.slice(html.indexOf('<p>Hello</p>'), html.indexOf('</td></tr></table>'));
    expect(inside).toContain('Sent by Acme (news@acme.example)\nAcme GmbH, Berlin\n');
    expect(inside).toContain('>Unsubscribe from Marketing</a>');
    expect(inside).toContain(`href="${link.replace('&', '&amp;').replaceAll('"', '&quot;')}"`);
  });
});

test('the light theme has dark text, the dark theme has light text', () => {
  const colors = emailThemes.map(theme => {
    const html = renderFramed({ theme, html: '' });
    return [/bgcolor="(#\w+)"/.exec(html)?.[1], /<td style="color:(#\w+)/.exec(html)?.[1]];
  });
  expect(colors).toEqual([
    ['#ffffff', '#18181b'],
    ['#0f0f11', '#f4f4f5'],
  ]);
});

test('the plain text has the unsubscribe link alone on its line', () => {
  expect(renderFramedText('Hello')).toBe('Hello\n');
  const sender = footer.sender.join('\n');
  expect(renderFramedText('Hello', footer)).toBe(`Hello\n\n---\n\n${sender}\nUnsubscribe from Marketing:\n${link}\n`);
  expect(renderFramedText('')).toBe('\n');
});

test('authored HTML is returned as safe HTML and as text', async () => {
  const content = await sanitizeAuthoredHtml('<h1>Hi</h1><p onclick=x>you</p>');
  expect(content).toEqual({ html: '<h1>Hi</h1><p>you</p>', text: 'Hi\n\nyou' });
});
