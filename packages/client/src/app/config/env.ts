// Bundlers replace the literal expressions below. The rest is read at call time, where `process` exists.
declare const process: { readonly env: Readonly<Record<string, string | undefined>> };
type Meta = { readonly env?: Readonly<Record<string, string | undefined>> };

/** The getters of one setting. The first non-empty value wins. */
export type Variables = readonly (() => string | undefined)[];

export const projectIdVariables: Variables = [
  () => process.env.NEXT_PUBLIC_TESSERA_PROJECT_ID,
  () => (import.meta as Meta).env?.VITE_TESSERA_PROJECT_ID ?? process.env.VITE_TESSERA_PROJECT_ID,
  () => process.env.TESSERA_PROJECT_ID,
  () => process.env.NEXT_PUBLIC_STACK_PROJECT_ID,
];

export const publishableClientKeyVariables: Variables = [
  () => process.env.NEXT_PUBLIC_TESSERA_PUBLISHABLE_CLIENT_KEY,
  () =>
    (import.meta as Meta).env?.VITE_TESSERA_PUBLISHABLE_CLIENT_KEY ?? process.env.VITE_TESSERA_PUBLISHABLE_CLIENT_KEY,
  () => process.env.TESSERA_PUBLISHABLE_CLIENT_KEY,
  () => process.env.NEXT_PUBLIC_STACK_PUBLISHABLE_CLIENT_KEY,
];

export const extraRequestHeadersVariables: Variables = [
  () => process.env.NEXT_PUBLIC_TESSERA_EXTRA_REQUEST_HEADERS,
  () => (import.meta as Meta).env?.VITE_TESSERA_EXTRA_REQUEST_HEADERS ?? process.env.VITE_TESSERA_EXTRA_REQUEST_HEADERS,
  () => process.env.TESSERA_EXTRA_REQUEST_HEADERS,
  () => process.env.NEXT_PUBLIC_STACK_EXTRA_REQUEST_HEADERS,
];

const ownApiUrl: Variables = [
  () => process.env.NEXT_PUBLIC_TESSERA_API_URL,
  () => (import.meta as Meta).env?.VITE_TESSERA_API_URL ?? process.env.VITE_TESSERA_API_URL,
  () => process.env.TESSERA_API_URL,
];

const stackApiUrl: Variables = [() => process.env.NEXT_PUBLIC_STACK_API_URL, () => process.env.NEXT_PUBLIC_STACK_URL];

/** Tessera's names come before the hosted service's; in each group the address for this side comes first. */
export const apiUrlVariables: Record<'browser' | 'server', Variables> = {
  browser: [
    () => process.env.NEXT_PUBLIC_BROWSER_TESSERA_API_URL,
    ...ownApiUrl,
    () => process.env.NEXT_PUBLIC_BROWSER_STACK_API_URL,
    ...stackApiUrl,
  ],
  server: [
    () => process.env.NEXT_PUBLIC_SERVER_TESSERA_API_URL,
    ...ownApiUrl,
    () => process.env.NEXT_PUBLIC_SERVER_STACK_API_URL,
    ...stackApiUrl,
  ],
};

/** Our names of a public setting, for error messages. */
export function namesOf(setting: string): string {
  return ['NEXT_PUBLIC_', 'VITE_', ''].map(prefix => `${prefix}TESSERA_${setting}`).join(' or ');
}

/** The first variable with a non-empty value. */
export function readVariable(variables: Variables): string | undefined {
  for (const read of variables) {
    const value = attempt(read);
    if (value) return value;
  }
  return undefined;
}

function attempt(read: () => string | undefined): string | undefined {
  try {
    return read();
  } catch {
    // ReferenceError: `process` does not exist, and the bundler replaced nothing.
    return undefined;
  }
}
