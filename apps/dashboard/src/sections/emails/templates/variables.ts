import type { TemplateType } from '../queries.ts';

const own: Readonly<Record<TemplateType, readonly string[]>> = {
  email_verification: ['emailVerificationLink', 'userDisplayName'],
  password_reset: ['passwordResetLink', 'userDisplayName'],
  magic_link: ['magicLink', 'otp'],
  team_invitation: ['teamInvitationLink', 'teamDisplayName'],
  sign_in_invitation: ['signInInvitationLink'],
};

/** The variables of a template, those of its own first. */
export function variablesOf(type: TemplateType): readonly string[] {
  return [...own[type], 'projectDisplayName'];
}
