import { namesOf } from '../app/config/env.ts';

/** The settings of an app that a server can refuse. */
export interface Setup {
  readonly projectId: string;
  readonly apiUrl: string;
  /** The origin of the page; undefined outside a browser. */
  readonly origin: string | undefined;
}

/** The sentence that names the wrong setting, by error code; WEB_PAGE when another site answers at `baseUrl`. */
const sentences: Readonly<Record<string, (setup: Setup) => string>> = {
  PROJECT_NOT_FOUND: ({ projectId, apiUrl }) =>
    `The server at ${apiUrl} has no project ${projectId}. Correct projectId (${namesOf('PROJECT_ID')}) or baseUrl.`,
  INVALID_PUBLISHABLE_CLIENT_KEY: ({ projectId }) =>
    `The publishable client key does not belong to project ${projectId}. Correct publishableClientKey (${namesOf('PUBLISHABLE_CLIENT_KEY')}) or projectId.`,
  WEB_PAGE: ({ apiUrl }) => `${apiUrl} answers with a web page. Correct baseUrl (${namesOf('API_URL')}).`,
  REDIRECT_URL_NOT_WHITELISTED: ({ projectId, origin }) =>
    // A page without a site, such as a file, has the origin 'null'.
    origin === undefined || origin === 'null'
      ? `The site of the callback URL is not a trusted domain of project ${projectId}. Trust it in the dashboard (Domains), or with: tessera projects update ${projectId} --add-domain https://your-site.example`
      : `${origin} is not a trusted domain of project ${projectId}. Trust it in the dashboard (Domains), or with: tessera projects update ${projectId} --add-domain ${origin}`,
};

/** What to change when the server refused the settings of the app; undefined for other errors. */
export function setupHint(code: string, setup: Setup): string | undefined {
  return Object.hasOwn(sentences, code) ? sentences[code]?.(setup) : undefined;
}
