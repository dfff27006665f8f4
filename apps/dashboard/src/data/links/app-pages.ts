import { hasWildcard } from '@tessera/client/internals';

interface Settings {
  readonly allowLocalhost: boolean;
  readonly domains: readonly { readonly domain: string; readonly handlerPath: string }[];
}

/** A project whose app has the pages of the SDK. */
interface AppProject {
  readonly id: string;
  readonly config: Settings;
}

/** A place of the pages: a domain, or this machine with a port. */
export interface AppPlace {
  readonly choice: string;
  readonly port: string;
}

/** The choice of the app on this machine, whose port is typed. */
export const localhostChoice = 'http://localhost';

/** The port of Vite, with which most apps begin. */
const firstPort = '5173';

/**
 * Where the pages of the SDK can be: below the handler path of each domain, and on this machine where it is trusted. A link
 * cannot lead to a domain with a wildcard.
 */
export function handlerChoices({ allowLocalhost, domains }: Settings): readonly string[] {
  const handlers = domains
    .filter(({ domain }) => !hasWildcard(domain))
    .map(({ domain, handlerPath }) =>
      `${domain.replace(/\/*$/, '')}/${handlerPath.replace(/^\/*/, '')}`.replace(/\/*$/, ''),
    );
  return allowLocalhost ? [...handlers, localhostChoice] : handlers;
}

/** The address below which the pages are; undefined for an invalid port. */
export function handlerAddress(choice: string, port: string): string | undefined {
  if (choice !== localhostChoice) return choice;
  const isPort = /^\d{1,5}$/.test(port) && Number(port) > 0 && Number(port) < 65_536;
  return isPort ? `${localhostChoice}:${port}/handler` : undefined;
}

/** The place that a link of the dashboard led to last, while the project trusts it; else its first domain, else this machine. */
export function usualPlace(project: AppProject): AppPlace {
  const choices = handlerChoices(project.config);
  const last = window.localStorage.getItem(keyOf(project));
  const port = /^http:\/\/localhost:(\d+)\/handler$/.exec(last ?? '')?.[1];
  if (last !== null && choices.includes(last)) return { choice: last, port: firstPort };
  if (port !== undefined && choices.includes(localhostChoice)) return { choice: localhostChoice, port };
  return { choice: choices[0] ?? localhostChoice, port: firstPort };
}

/** The address of a page of the app at its usual place. */
export function usualPage(project: AppProject, page: string): string {
  const { choice, port } = usualPlace(project);
  return `${handlerAddress(choice, port)}/${page}`;
}

/** Keeps where a link led, in this browser. */
export function keepPage(project: AppProject, address: string): void {
  window.localStorage.setItem(keyOf(project), address.replace(/\/[^/]*$/, ''));
}

function keyOf({ id }: AppProject): string {
  return `tessera.app-page.${id}`;
}
