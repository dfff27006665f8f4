interface Settings {
  readonly allowLocalhost: boolean;
  readonly domains: readonly { readonly domain: string; readonly handlerPath: string }[];
}

/** The choice of the app on this machine, whose port is typed. */
export const localhostChoice = 'http://localhost';

/** Where the pages of the SDK can be: below the handler path of each domain, and on this machine where it is trusted. */
export function handlerChoices({ allowLocalhost, domains }: Settings): readonly string[] {
  const handlers = domains.map(({ domain, handlerPath }) => `${domain}${handlerPath}`.replace(/\/$/, ''));
  return allowLocalhost ? [...handlers, localhostChoice] : handlers;
}

/** The address below which the pages are; undefined for a port that is none. */
export function handlerAddress(choice: string, port: string): string | undefined {
  if (choice !== localhostChoice) return choice;
  const isPort = /^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536;
  return isPort ? `${localhostChoice}:${port}/handler` : undefined;
}
