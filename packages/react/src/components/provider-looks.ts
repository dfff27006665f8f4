/** How a provider's button looks. The colours are the values of the variables that the button's classes read. */
export interface ProviderLook {
  readonly name: string;
  /** A path of 24 by 24; undefined for a provider that we do not know. */
  readonly icon?: string;
  readonly colors?: Readonly<Record<`--tessera-provider${string}`, string>>;
}

/** Name, background, text, border and our own simple drawing. */
type Row = readonly [name: string, background: string, text: string, border: string, icon: string];

/**
 * handler-pages.md 3, except that Facebook's blue is the darker one and Spotify's green carries black: white on the
 * original colours is too faint to read (WCAG 2.2, 1.4.3).
 */
const rows: Readonly<Record<string, Row>> = {
  google: ['Google', '#fff', '#000', '#ddd', 'M21 10.5h-9v3.2h5.5A6 6 0 1 1 16 7.5l2.3-2.3A9 9 0 1 0 21 10.5z'],
  github: [
    'GitHub',
    '#111',
    '#fff',
    '#333',
    'M7 3a2.5 2.5 0 0 1 1 4.8v8.4a2.5 2.5 0 1 1-2 0V7.8A2.5 2.5 0 0 1 7 3m10 0a2.5 2.5 0 0 1 1 4.8q0 5-8 6v-2q6-.5 6-4A2.5 2.5 0 0 1 17 3',
  ],
  microsoft: [
    'Microsoft',
    '#2f2f2f',
    '#fff',
    '#2f2f2f',
    'M3 3h8.5v8.5H3zM12.5 3H21v8.5h-8.5zM3 12.5h8.5V21H3zM12.5 12.5H21V21h-8.5z',
  ],
  spotify: [
    'Spotify',
    '#1DB954',
    '#000',
    '#1DB954',
    'M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20M6 8q6-2 12 1l-1 2Q11.5 8.2 6 10zm.5 4q5-1.5 10 1l-.8 1.6q-4.2-2.2-8.7-1zm.5 3.8q4-1 8 1l-.7 1.4q-3.3-1.7-6.8-.8z',
  ],
  facebook: [
    'Facebook',
    '#166fe5',
    '#fff',
    '#166fe5',
    'M10 21v-8H7V9.7h3V7q0-4 4-4h3v3.3h-2q-1.5 0-1.5 1.5v1.9H17l-.5 3.3h-3v8z',
  ],
  discord: [
    'Discord',
    '#5865F2',
    '#fff',
    '#5865F2',
    'M6 5h12l3 3v8l-3 3h-1l-2-2H9l-2 2H6l-3-3V8zm3 5a1.5 2 0 1 0 0 4 1.5 2 0 0 0 0-4m6 0a1.5 2 0 1 0 0 4 1.5 2 0 0 0 0-4',
  ],
  gitlab: ['GitLab', '#111', '#fff', '#333', 'M12 21.5L3 14 5.5 4.5 8 11h8l2.5-6.5L21 14z'],
  bitbucket: ['Bitbucket', '#fff', '#000', '#ddd', 'M3 4h18l-2.5 16h-13zM9.5 9l1 6h3l1-6z'],
  linkedin: [
    'LinkedIn',
    '#0073b1',
    '#fff',
    '#0073b1',
    'M4 9h3.5v11H4zm1.7-5.2a2 2 0 1 1 0 4 2 2 0 0 1 0-4M10 9h3.3v1.6q1-2 3.5-2 3.7 0 3.7 4.7V20H17v-6q0-2.4-1.7-2.4T13.5 14v6H10z',
  ],
  apple: [
    'Apple',
    '#000',
    '#fff',
    '#333',
    'M12 7.5q6-3 8 1.5-5 3-.5 6.5-2 6.5-5 5.5-2.5-1-5 0C6 22 4 16 4 12.5 4 8 8 5.5 12 7.5m0-1.2q0-3.5 3.5-4.3.3 3.8-3.5 4.3',
  ],
  x: [
    'X',
    '#000',
    '#fff',
    '#333',
    'M3.5 4h5l4 5.6L17.2 4h2.4l-6 7.1L20.5 20h-5l-4.4-6.1L6 20H3.5l6.5-7.7zM7 5.8L16.4 18.2h.9L7.9 5.8z',
  ],
};

/** How a provider's button looks; a provider that we do not know goes by its id. */
export function providerLook(provider: string): ProviderLook {
  const row = Object.hasOwn(rows, provider) ? rows[provider] : undefined;
  if (row === undefined) return { name: provider };
  const [name, background, text, border, icon] = row;
  return {
    name,
    icon,
    colors: {
      '--tessera-provider': background,
      '--tessera-provider-text': text,
      '--tessera-provider-border': border,
    },
  };
}
