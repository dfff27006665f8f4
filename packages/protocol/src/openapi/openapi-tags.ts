import type { Tag } from '../endpoint.ts';

/** What the endpoints of a tag do, in the order in which the document lists the tags. */
export const tagDescriptions: Readonly<Record<Tag, string>> = {
  Service: 'The version of the API, its description, and the public keys that verify access tokens.',
  'Sign-in':
    'Sign-up and sign-in with passwords, email codes, passkeys and OAuth, second factors, and password resets.',
  Sessions: 'Refresh access tokens, list and end sessions, and begin a session for a user.',
  Users: 'The signed-in user, and at the server level all users of the project.',
  'Contact channels': 'Email addresses of users, and their verification.',
  Teams: 'Teams, members, invitations, and the profile of a user in a team.',
  Permissions: 'Permission definitions, and what users are granted in the project and in teams.',
  'API keys': 'Keys of users and teams for the API of your own product, and the check of a key.',
  Emails: 'Send emails, and edit their templates and their delivery.',
  Projects: 'Projects, their configuration, and their keys.',
  Webhooks: 'Access to the endpoints and deliveries of webhooks.',
  extension: 'Endpoints of Tessera that the Stack Auth API v1 of July 2025 does not have.',
};
