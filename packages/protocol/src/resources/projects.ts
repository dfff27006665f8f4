import * as z from 'zod';
import { endpoint } from '../endpoint.ts';

/** projects.md 2: all that may be seen of a project without being its owner. */
export const clientProject = z.strictObject({
  id: z.string(),
  display_name: z.string(),
  config: z.strictObject({
    sign_up_enabled: z.boolean(),
    credential_enabled: z.boolean(),
    magic_link_enabled: z.boolean(),
    passkey_enabled: z.boolean(),
    client_team_creation_enabled: z.boolean(),
    client_user_deletion_enabled: z.boolean(),
    allow_user_api_keys: z.boolean(),
    allow_team_api_keys: z.boolean(),
    enabled_oauth_providers: z.array(z.strictObject({ id: z.string() })),
  }),
});

export const projectEndpoints = {
  readCurrent: endpoint({
    method: 'GET',
    path: '/projects/current',
    access: 'client',
    query: z.strictObject({}),
    response: clientProject,
    summary: 'Read what everybody may know of the project',
    tag: 'Projects',
    errors: ['PROJECT_NOT_FOUND'],
  }),
};
