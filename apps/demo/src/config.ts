/** What the demo's server knows about the Tessera server. All of it is public. */
export interface Config {
  readonly baseUrl: string;
  readonly projectId: string;
  readonly publishableClientKey: string;
}

/** Asks the demo's own server. */
export async function loadConfig(): Promise<Config> {
  const response = await fetch('/config.json', { cache: 'no-store' });
  if (!response.ok) throw new Error(`/config.json answered ${response.status}.`);
  return response.json();
}
