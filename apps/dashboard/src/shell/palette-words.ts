import { type SectionTitle, titles } from '../sections/titles.ts';

/** The words of the command palette, which is loaded when it opens. */
export const words = {
  label: 'Command palette',
  placeholder: 'Go to, search, or run …',
  empty: 'No command matches.',
  sections: 'Go to',
  projects: 'Projects',
  actions: 'Actions',
  searchTeams: (text: string) => `Find teams: ${text}`,
  searchUsers: (text: string) => `Find users: ${text}`,
  /** What the pages hold that their titles do not say, by title. */
  keywords: {
    [titles.getStarted]: ['Install', 'Quickstart'],
    [titles.overview]: ['Metrics', 'Active users', 'Countries'],
    [titles.users]: ['Accounts', 'Import', 'Export', 'Second factor'],
    [titles.teams]: ['Organizations', 'Members', 'Invitations'],
    [titles.permissions]: ['Roles', 'Granted by default'],
    [titles.emails]: ['SMTP', 'Mail server', 'Sender', 'Templates', 'Messages'],
    [titles.webhooks]: ['Events', 'Endpoints', 'Deliveries', 'Signing secret'],
    [titles.auditLog]: ['History', 'Failed sign-ins'],
    [titles.security]: ['Password rules', 'Sessions', 'Rate limits', 'Signing keys', 'Email verification', 'Retention'],
    [titles.signInMethods]: ['Password', 'Passkey', 'Email code', 'OAuth', 'SSO', 'Google', 'Blocked addresses'],
    [titles.domains]: ['Redirect URL', 'Callback URL', 'Localhost', 'CORS'],
    [titles.apiKeys]: ['Secret server key', 'Publishable client key', 'Admin key', 'Rotate'],
    [titles.projectSettings]: ['Name', 'Logo', 'Members', 'Production mode', 'Transfer', 'Delete'],
  } satisfies Record<SectionTitle, readonly string[]>,
} as const;
