interface Settings {
  readonly domains: readonly { readonly domain: string; readonly handlerPath: string }[];
}

const developmentUrl = 'http://localhost:3000/handler/team-invitation';

/** The page of the app that accepts invitations, on the first domain without a wildcard, else on this machine. */
export function invitationUrl({ domains }: Settings): string {
  const trusted = domains.find(({ domain }) => !domain.includes('*'));
  if (trusted === undefined) return developmentUrl;
  const path = trusted.handlerPath.replace(/^\/*|\/*$/g, '');
  return `${trusted.domain.replace(/\/*$/, '')}/${path === '' ? '' : `${path}/`}team-invitation`;
}
