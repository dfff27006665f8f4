/**
 * The names of the sections, for navigation and palette. Apart from the other words of a section, which are loaded with its
 * pages.
 */
export const titles = {
  apiKeys: 'API keys',
  auditLog: 'Audit log',
  domains: 'Domains',
  emails: 'Emails',
  getStarted: 'Get started',
  overview: 'Overview',
  permissions: 'Permissions',
  projectSettings: 'Project settings',
  security: 'Security',
  signInMethods: 'Sign-in methods',
  teams: 'Teams',
  users: 'Users',
  webhooks: 'Webhooks',
} as const;

/** The title of a section. */
export type SectionTitle = (typeof titles)[keyof typeof titles];
