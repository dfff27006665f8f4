import type { ProjectAccess } from '@tessera/testing/call';

/** Headers of a table of test cases, as they are sent: values in braces are only known when the test runs. */
export function sentHeaders(
  headers: Readonly<Record<string, string>>,
  { project, other, accessToken = '' }: { project: ProjectAccess; other?: ProjectAccess; accessToken?: string },
): Record<string, string> {
  const values: Record<string, string | undefined> = {
    '{project}': project.id,
    '{client key}': project.publishableClientKey,
    '{server key}': project.secretServerKey,
    '{admin key}': project.superSecretAdminKey,
    '{other project}': other?.id,
    "{other's client key}": other?.publishableClientKey,
    "{other's server key}": other?.secretServerKey,
    "{other's admin key}": other?.superSecretAdminKey,
    '{token}': accessToken,
  };
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [`x-stack-${name}`, values[value] ?? value]),
  );
}

/** The credentials of each level, in this notation. */
export const credentialsOf = {
  client: { 'access-type': 'client', 'project-id': '{project}', 'publishable-client-key': '{client key}' },
  server: { 'access-type': 'server', 'project-id': '{project}', 'secret-server-key': '{server key}' },
  admin: { 'access-type': 'admin', 'project-id': '{project}', 'super-secret-admin-key': '{admin key}' },
} as const;
