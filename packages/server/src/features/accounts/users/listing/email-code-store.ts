import type { Queryable } from '../../../../platform/database/database.ts';
import { sql } from '../../../../platform/database/sql.ts';

/** What a request for a sign-in code does (docs/contract/sign-in-methods.md#magic-link-request). */
export type EmailCode = 'on' | 'first_use' | 'unverified' | 'refused' | 'no_address';

/** Whether an address that signs in is verified; null without such an address. A value and not a join: one user at a time. */
export const hasVerifiedAddress = (projectId: string) => sql`(
  select bool_or(c.is_verified) from contact_channels c
  where c.project_id = ${projectId} and c.user_id = u.id and c.type = 'email' and c.used_for_auth
)`;

/** The state of a user `u`. */
export const emailCode = (projectId: string) => sql`case
  when u.otp_auth_refused then 'refused'
  else case ${hasVerifiedAddress(projectId)}
    when true then case when u.otp_auth_enabled then 'on' else 'first_use' end
    when false then 'unverified'
    else 'no_address'
  end
end`;

/** What a request for a sign-in code does for a user. */
export async function selectEmailCode(
  db: Queryable,
  { projectId, userId }: { readonly projectId: string; readonly userId: string },
): Promise<EmailCode> {
  const [row] = await db.query<{ emailCode: EmailCode }>(sql`
    select ${emailCode(projectId)} as "emailCode" from users u where u.project_id = ${projectId} and u.id = ${userId}
  `);
  return row?.emailCode ?? 'no_address';
}
