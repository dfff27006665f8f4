import { emailThemes } from '@tessera/protocol';
import { describe, expect, test } from 'vitest';
import { parseAuthoredHtml, renderFramed, renderFramedText } from './themes.ts';

const link = 'https://auth.example/api/v1/emails/unsubscribe-link?code=abc&x="1"';

describe.each(emailThemes)('the theme %s', theme => {
  test('puts the content into a centred column of at most 600 pixels', () => {
    const html = renderFramed({ theme, html: '<p>Hello</p>', subject: 'A <b>' });
    expect(html).toMatch(/^<!doctype html>/);
    expect(html).toContain('max-width:600px;margin:0 auto');
    expect(html).toContain('\n<p>Hello</p>\n');
    expect(html).toContain('<title>A &lt;b&gt;</title>');
    expect(html).not.toContain('Unsubscribe');
  });

  test('has the unsubscribe link below the content, inside the column', () => {
    const html = renderFramed({ theme, html: '<p>Hello</p>', unsubscribeLink: link });
    const inside = html.slice(html.indexOf('<p>Hello</p>'), html.indexOf('</td></tr></table>'));
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
  expect(renderFramedText('Hello', link)).toBe(`Hello\n\n---\n\nUnsubscribe:\n${link}\n`);
  expect(renderFramedText('')).toBe('\n');
});

test('authored HTML is returned as safe HTML and as text', () => {
  expect(parseAuthoredHtml('<h1>Hi</h1><p>you</p>')).toEqual({ html: '<h1>Hi</h1><p>you</p>', text: 'Hi\n\nyou' });
});
