/** The public settings from the demo's server. */
export interface Config {
  readonly baseUrl: string;
  readonly projectId: string;
  readonly publishableClientKey: string;
}

/** Loads them from the demo's own server. */
export async function loadConfig(): Promise<Config> {
  const response = await fetch('/config.json', { cache: 'no-store' });
  if (!response.ok) throw new Error(`/config.json answered ${response.status}.`);
  return response.json();
}
