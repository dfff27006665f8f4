import { describe, expect, test } from 'vitest';
import { MarkupError } from './error.ts';
import { convertToText, sanitizeMarkup } from './index.ts';

/** The library closes void elements as XHTML does. */
const written = (markup: string) => sanitizeMarkup(markup).replaceAll(' />', '>');
const read = (markup: string) => convertToText(sanitizeMarkup(markup));

describe('HTML that stays unchanged', () => {
  test.each([
    '',
    'Hello',
    '<p>Hello</p>',
    '<h1 style="color:red">A &amp; B</h1><hr><p class="x">one<br>two</p>',
    '<a href="https://a.example/?x=1&amp;y=2#z" target="_blank">go</a>',
    '<table width="100%"><tr><td align="left">1</td><th>2</th></tr></table>',
    '<table><tbody><tr><td><table><tr><td>inside</td></tr></table></td></tr></tbody></table>',
    '<img src="https://a.example/a.png" alt="A" width="10"><img src="data:image/png;base64,AAAA">',
    '<style>p > b { color: #123456 }</style><ul><li>1</li><li>2</li></ul>',
    '<a href="/relative?a:b">1</a><a href="//a.example">2</a><a href="#top">3</a><a href="mailto:a@example.com">4</a>',
    '{{name}} {% x %}',
  ])('%s', markup => {
    expect(written(markup)).toBe(markup);
  });
});

describe('HTML that is normalized', () => {
  test.each([
    ['<P Class=x>Hello</P >', '<p class="x">Hello</p>'],
    [`<a title='say "hi"'>x</a>`, '<a title="say &quot;hi&quot;">x</a>'],
    ['<p>one<p>two<ul><li>1<li>2</ul>', '<p>one</p><p>two</p><ul><li>1</li><li>2</li></ul>'],
    ['<table><tr><td>1<td>2<tr><td>3</table>', '<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>'],
    ['1 < 2 && 3 > 2', '1 &lt; 2 &amp;&amp; 3 &gt; 2'],
    ['<br/><img src=a.png/>', '<br><img src="a.png/">'],
    ['<!doctype html><html><head><meta charset=x><title>T</title></head><body>Hello</body></html>', 'Hello'],
    ['a<!-- comment -->b<!-->c<!--[if mso]><b>d</b><![endif]-->e<?xml?>f</ g>h', 'abcefh'],
    ['<p title=a title=b>x</p>', '<p title="a">x</p>'],
    ['<x-card>custom</x-card>', 'custom'],
  ])('%s', (markup, expected) => {
    expect(written(markup)).toBe(expected);
  });
});

describe('control 75: active content is removed', () => {
  test.each([
    ['<script>alert(1)</script>ok', 'ok'],
    ['<script><!--</script>ok', 'ok'],
    ['<SCRIPT/x>a</script\n>ok', 'ok'],
    ['<img src=x onerror=alert(1)>', '<img src="x">'],
    ['<img/src="x"/onerror="alert(1)">', '<img src="x">'],
    ['<p ONCLICK=x STYLE="color: red">b</p>', '<p style="color:red">b</p>'],
    ['<iframe srcdoc="<script>1</script>"></iframe>ok', 'ok'],
    ['<svg><path/><script>1</script><svg></svg></svg>ok', 'ok'],
    ['<math><mtext></math><style></style>', ''],
    ['<object data=x><p>a</object>ok<embed src=x>', 'ok'],
    ['<form action=x><input name=y>ok</form>', 'ok'],
    ['<a href="javascript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href=" java\nscript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="java&#115;cript:alert(1)">x</a>', '<a>x</a>'],
    ['<a href="javascript&colon;alert(1)">x</a>', '<a>x</a>'],
    ['<a href="javascript&unknown;alert(1)">x</a>', '<a>x</a>'],
    ['<a href="data:text/html,x">x</a>', '<a>x</a>'],
    ['<img src="data:image/svg+xml;base64,AAAA">', '<img>'],
    ['<td"onclick="x">', undefined],
    ['<meta http-equiv=refresh content="0;url=x"><base href=x><link rel=stylesheet href=x>ok', 'ok'],
    ['<textarea><p></textarea><title></p></title><noscript>a</noscript>ok', 'aok'],
    ['<style>a{}</style x><p title="</style><script>1</script>">b</p>', undefined],
  ])('%s', (markup, expected) => {
    if (expected === undefined) expect(written(markup)).not.toMatch(/ on|<script/);
    else expect(written(markup)).toBe(expected);
  });

  test('the output parses to the same output', () => {
    const markup = `<p title='"><script>1</script>'>a<b c=">">d</b></p><a"b<c>x<div =x 'y>z</div>`;
    const once = written(markup);
    expect(written(once)).toBe(once);
    expect(once).not.toContain('<script');
  });
});

describe('stylesheets', () => {
  test('keep the functions of colours and sizes', () => {
    const style =
      '<style>p { color: rgb(1, 2, 3); width: calc(100% - (2 * 4px)); background: linear-gradient(red, blue) }</style>';
    expect(written(style)).toBe(style);
  });

  test('lose the rules that are nested too deep, also in a style attribute', () => {
    const nested = 'a{'.repeat(20_000) + '}'.repeat(20_000);
    expect(written(`<style>p{color:red}${nested}</style>`)).toMatch(
      /^<style>p\{color:red\}(?:a\{){10}\}{10}<\/style>$/,
    );
    expect(written(`<p style="color:red;${nested}">x</p>`)).toMatch(/^<p(?: style="color:red")?>x<\/p>$/);
  });
});

describe('HTML that is refused with a message for its author', () => {
  test.each([
    ['<div>', '<div> is not closed'],
    ['<b><i>x</b></i>', '<i> is not closed'],
    ['</div>', '</div> closes nothing'],
    ['<scr<script>ipt>alert(1)</script>', '</script> closes nothing'],
    ['<p>x</p></td></tr></table>', '</td> closes nothing'],
    ['<td>x</td>', '<td> is outside a table'],
    ['<div><tr><td>x</td></tr></div>', '<tr> is outside a table'],
    ['<table><tr><td><tr></td></tr></table>', '</td> closes nothing'],
    ['<table><table></table></table>', '<table> is inside a table, but not in a cell'],
    ['<table><div><table></table></div></table>', '<table> is inside a table, but not in a cell'],
    ['<!-- x', 'a comment is not closed'],
    ['<a href="x>y</a>', 'a value in <a> has no closing quote'],
    ['<a href=x', '<a> has no closing bracket'],
    ['<!doctype', 'a tag has no closing bracket'],
    ['<style>p {', '<style> is not closed'],
    ['<script>', '<script> is not closed'],
    ['<svg>', '<svg> is not closed'],
    ['<constructor>', '<constructor> is not closed'],
    ['<b>'.repeat(200), 'the elements are nested too deep'],
    ['<br>'.repeat(20_001), 'there are too many elements'],
  ])('%s', (markup, message) => {
    expect(() => sanitizeMarkup(markup)).toThrow(new MarkupError(message));
  });
});

describe('HTML converted to plain text', () => {
  test.each([
    ['<p>Hello</p>', 'Hello'],
    ['<h1>Big</h1><p>one\n   two<br>three</p>', 'Big\n\none two\nthree'],
    ['<a href="https://a.example/?x=1&amp;y=2">go</a>', 'go (https://a.example/?x=1&y=2)'],
    ['<a href="https://a.example">https://a.example</a>', 'https://a.example'],
    ['<a href="https://a.example"><img src=x alt=""></a>', 'https://a.example'],
    ['<a href="#x">here</a>', 'here'],
    ['<ul><li>1</li><li>2</li></ul>', '- 1\n- 2'],
    ['<table><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></table>', '1 2\n3'],
    ['<style>p{}</style><script>1</script>x<hr>y', 'x\n\n---\n\ny'],
    ['A &amp; B&nbsp;&lt;c&gt; &#8364; &#x1F600; &unknown; &#0;', 'A & B <c> € 😀 &unknown; \ufffd'],
  ])('%s', (markup, expected) => {
    expect(read(markup)).toBe(expected);
  });
});

test.each([
  ['https://a.example', true],
  ['HTTP://a.example', true],
  ['tel:+1', true],
  ['cid:part', true],
  ['a/b:c', true],
  ['vbscript:x', false],
  ['file:///etc/passwd', false],
  ['j\u00adavascript:x', false],
  ['&#x6A;avascript:x', false],
])('a URL that runs code is removed: %j', (url, isKept) => {
  expect(sanitizeMarkup(`<a href="${url}">x</a>`)).toBe(isKept ? `<a href="${url}">x</a>` : '<a>x</a>');
});

test('entities of invalid code points become the replacement character', () => {
  expect(sanitizeMarkup('&#55296;&#x110000;&#9999999;')).toBe('\ufffd\ufffd\ufffd');
});

describe('control 88: the time grows linearly with the length of the text', () => {
  const length = 1_000_000;
  test.each(['<', '<a ', '<!--', '</', '<a x="', '&#1', '&amp;', '<p>', '<br>', '<b></b>', ' ', '<style></style>'])(
    '%s again and again',
    piece => {
      const markup = piece.repeat(length / piece.length);
      try {
        read(markup);
        written(markup);
      } catch (error) {
        expect(error).toBeInstanceOf(MarkupError);
      }
    },
    // Quadratic time would need many minutes.
    120_000,
  );

  test.each(['b:c;', '/**/', '@a;', 'a{}', '\\{}', '@media{}'])(
    '%s again and again in a stylesheet',
    piece => {
      const css = `a{${piece.repeat(length / piece.length)}}`;
      expect(written(`<style>${css}</style>`)).not.toContain('b:c');
    },
    120_000,
  );
});
