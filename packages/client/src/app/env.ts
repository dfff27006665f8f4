// Bundlers replace the literal expressions below. The rest is read at call time, where `process` exists.
declare const process: { readonly env: Readonly<Record<string, string | undefined>> };
type Meta = { readonly env?: Readonly<Record<string, string | undefined>> };

/** The getters of one setting, by variable name. The first non-empty value wins. */
export type Variables = Readonly<Record<string, () => string | undefined>>;

export const projectIdVariables: Variables = {
  NEXT_PUBLIC_TESSERA_PROJECT_ID: () => process.env.NEXT_PUBLIC_TESSERA_PROJECT_ID,
  VITE_TESSERA_PROJECT_ID: () =>
    (import.meta as Meta).env?.VITE_TESSERA_PROJECT_ID ?? process.env.VITE_TESSERA_PROJECT_ID,
  TESSERA_PROJECT_ID: () => process.env.TESSERA_PROJECT_ID,
  NEXT_PUBLIC_STACK_PROJECT_ID: () => process.env.NEXT_PUBLIC_STACK_PROJECT_ID,
};

export const publishableClientKeyVariables: Variables = {
  NEXT_PUBLIC_TESSERA_PUBLISHABLE_CLIENT_KEY: () => process.env.NEXT_PUBLIC_TESSERA_PUBLISHABLE_CLIENT_KEY,
  VITE_TESSERA_PUBLISHABLE_CLIENT_KEY: () =>
    (import.meta as Meta).env?.VITE_TESSERA_PUBLISHABLE_CLIENT_KEY ?? process.env.VITE_TESSERA_PUBLISHABLE_CLIENT_KEY,
  TESSERA_PUBLISHABLE_CLIENT_KEY: () => process.env.TESSERA_PUBLISHABLE_CLIENT_KEY,
  NEXT_PUBLIC_STACK_PUBLISHABLE_CLIENT_KEY: () => process.env.NEXT_PUBLIC_STACK_PUBLISHABLE_CLIENT_KEY,
};

export const extraRequestHeadersVariables: Variables = {
  NEXT_PUBLIC_TESSERA_EXTRA_REQUEST_HEADERS: () => process.env.NEXT_PUBLIC_TESSERA_EXTRA_REQUEST_HEADERS,
  VITE_TESSERA_EXTRA_REQUEST_HEADERS: () =>
    (import.meta as Meta).env?.VITE_TESSERA_EXTRA_REQUEST_HEADERS ?? process.env.VITE_TESSERA_EXTRA_REQUEST_HEADERS,
  TESSERA_EXTRA_REQUEST_HEADERS: () => process.env.TESSERA_EXTRA_REQUEST_HEADERS,
  NEXT_PUBLIC_STACK_EXTRA_REQUEST_HEADERS: () => process.env.NEXT_PUBLIC_STACK_EXTRA_REQUEST_HEADERS,
};

const ownApiUrl: Variables = {
  NEXT_PUBLIC_TESSERA_API_URL: () => process.env.NEXT_PUBLIC_TESSERA_API_URL,
  VITE_TESSERA_API_URL: () => (import.meta as Meta).env?.VITE_TESSERA_API_URL ?? process.env.VITE_TESSERA_API_URL,
  TESSERA_API_URL: () => process.env.TESSERA_API_URL,
};

const stackApiUrl: Variables = {
  NEXT_PUBLIC_STACK_API_URL: () => process.env.NEXT_PUBLIC_STACK_API_URL,
  NEXT_PUBLIC_STACK_URL: () => process.env.NEXT_PUBLIC_STACK_URL,
};

/** Tessera's names come before the hosted service's; in each group the address for this side comes first. */
export const apiUrlVariables: Record<'browser' | 'server', Variables> = {
  browser: {
    NEXT_PUBLIC_BROWSER_TESSERA_API_URL: () => process.env.NEXT_PUBLIC_BROWSER_TESSERA_API_URL,
    ...ownApiUrl,
    NEXT_PUBLIC_BROWSER_STACK_API_URL: () => process.env.NEXT_PUBLIC_BROWSER_STACK_API_URL,
    ...stackApiUrl,
  },
  server: {
    NEXT_PUBLIC_SERVER_TESSERA_API_URL: () => process.env.NEXT_PUBLIC_SERVER_TESSERA_API_URL,
    ...ownApiUrl,
    NEXT_PUBLIC_SERVER_STACK_API_URL: () => process.env.NEXT_PUBLIC_SERVER_STACK_API_URL,
    ...stackApiUrl,
  },
};

/** The first variable with a non-empty value. */
export function readVariable(variables: Variables): string | undefined {
  for (const read of Object.values(variables)) {
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
