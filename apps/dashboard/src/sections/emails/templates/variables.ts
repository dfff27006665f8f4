import type { TemplateType } from '../queries.ts';

/** The variables with which a user continues from the email. */
const ways: Readonly<Record<TemplateType, readonly string[]>> = {
  email_verification: ['emailVerificationLink', 'otp'],
  password_reset: ['passwordResetLink'],
  magic_link: ['magicLink', 'otp'],
  team_invitation: ['teamInvitationLink'],
  sign_in_invitation: ['signInInvitationLink'],
};

const names: Readonly<Record<TemplateType, readonly string[]>> = {
  email_verification: ['userDisplayName'],
  password_reset: ['userDisplayName'],
  magic_link: [],
  team_invitation: ['teamDisplayName'],
  sign_in_invitation: [],
};

/** The variables of a template, those of its own first. */
export function variablesOf(type: TemplateType): readonly string[] {
  return [...ways[type], ...names[type], 'projectDisplayName'];
}

/** A template needs one of these: without it the user cannot continue from the email. */
export function neededIn(type: TemplateType): readonly string[] {
  return ways[type];
}
