/** The look of a provider's button. The colors are the values of the variables that the button's classes read. */
export interface ProviderLook {
  readonly name: string;
  /** Paths of 24 by 24; undefined for an unknown provider. */
  readonly icon?: Icon;
  readonly colors?: Readonly<Record<`--tessera-provider${string}`, string>>;
}

/** Paths in the text color, or each in its own color when the provider requires that. */
export type Icon = readonly { readonly path: string; readonly color?: string }[];

/** Name, background, text, border and mark of the provider: one path, or several with their colors. */
type Row = readonly [
  name: string,
  background: string,
  text: string,
  border: string,
  icon: string | readonly (readonly [color: string, path: string])[],
];

/**
 * docs/contract/handler-pages.md#sign-in-and-sign-up, except that Facebook's blue is darker and Spotify's green has black
 * text: white text on the original colors has too little contrast (WCAG 2.2, 1.4.3).
 */
const rows: Readonly<Record<string, Row>> = {
  google: [
    'Google',
    '#fff',
    '#000',
    '#ddd',
    [
      ['#4285f4', 'M22.5 12.2q0-1.1-.2-2.2H12v4.3h5.9a5 5 0 0 1-2.2 3.3v2.8h3.6q3.2-2.9 3.2-8.2'],
      ['#34a853', 'M12 23q4.5 0 7.3-2.6l-3.6-2.8A6.6 6.6 0 0 1 5.8 14.1H2.2V17A11 11 0 0 0 12 23'],
      ['#fbbc05', 'M5.8 14.1a6.6 6.6 0 0 1 0-4.2V7.1H2.2a11 11 0 0 0 0 9.9z'],
      ['#ea4335', 'M12 5.4q2.5 0 4.2 1.6l3.2-3.1A11 11 0 0 0 2.2 7.1l3.6 2.8A6.6 6.6 0 0 1 12 5.4'],
    ],
  ],
  github: [
    'GitHub',
    '#111',
    '#fff',
    '#333',
    'M12 .3a12 12 0 0 0-3.8 23.38c.6.12.83-.26.83-.57L9 21.07c-3.34.72-4.04-1.61-4.04-1.61-.55-1.39-1.34-1.76-1.34-1.76-1.08-.74.09-.73.09-.73 1.2.09 1.83 1.24 1.83 1.24 1.08 1.83 2.81 1.3 3.5 1 .1-.78.42-1.31.76-1.61-2.67-.3-5.47-1.33-5.47-5.93 0-1.31.47-2.38 1.24-3.22-.14-.3-.54-1.52.1-3.18 0 0 1-.32 3.3 1.23a11.5 11.5 0 0 1 6 0c2.28-1.55 3.29-1.23 3.29-1.23.64 1.66.24 2.88.12 3.18a4.65 4.65 0 0 1 1.23 3.22c0 4.61-2.8 5.63-5.48 5.92.42.36.81 1.1.81 2.22l-.01 3.29c0 .31.2.69.82.57A12 12 0 0 0 12 .3',
  ],
  microsoft: [
    'Microsoft',
    '#2f2f2f',
    '#fff',
    '#2f2f2f',
    [
      ['#f25022', 'M3 3h8.5v8.5H3z'],
      ['#7fba00', 'M12.5 3H21v8.5h-8.5z'],
      ['#00a4ef', 'M3 12.5h8.5V21H3z'],
      ['#ffb900', 'M12.5 12.5H21V21h-8.5z'],
    ],
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
    'M12.15 6.9c-.95 0-2.42-1.08-3.96-1.04a5.9 5.9 0 0 0-4.96 3.01c-2.12 3.68-.55 9.1 1.52 12.1 1 1.45 2.2 3.08 3.79 3.03 1.52-.07 2.09-.99 3.93-.99s2.35.99 3.96.95c1.64-.03 2.68-1.48 3.68-2.95a12 12 0 0 0 1.66-3.41c-.04-.01-3.18-1.22-3.22-4.86-.03-3.04 2.48-4.49 2.6-4.56a5.7 5.7 0 0 0-4.4-2.38c-2-.15-3.67 1.1-4.6 1.1m3.38-3.07A5.3 5.3 0 0 0 16.78 0a5.4 5.4 0 0 0-3.54 1.82 5 5 0 0 0-1.27 3.71c1.34.1 2.72-.69 3.56-1.7',
  ],
  x: [
    'X',
    '#000',
    '#fff',
    '#333',
    'M18.9 1.15h3.68l-8.04 9.19L24 22.85h-7.4l-5.8-7.59-6.64 7.59H.47l8.6-9.83L0 1.15h7.6l5.24 6.94zM17.6 20.64h2.04L6.49 3.24H4.3z',
  ],
};

/** The look of a provider's button. An unknown provider is named by its id. */
export function providerLook(provider: string): ProviderLook {
  const row = Object.hasOwn(rows, provider) ? rows[provider] : undefined;
  if (row === undefined) return { name: provider };
  const [name, background, text, border, icon] = row;
  return {
    name,
    icon: typeof icon === 'string' ? [{ path: icon }] : icon.map(([color, path]) => ({ color, path })),
    colors: {
      '--tessera-provider': background,
      '--tessera-provider-text': text,
      '--tessera-provider-border': border,
    },
  };
}
