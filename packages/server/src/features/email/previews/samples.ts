import type { EmailTemplateType } from '@tessera/protocol';
import type { Variables } from '../rendering/fill.ts';

const handler = 'https://app.example.com/handler';

/** Values of the variables in previews and test emails, in the order in which an editor offers them. */
export const templateSamples: Readonly<Record<EmailTemplateType, Readonly<Record<string, string>>>> = {
  email_verification: {
    emailVerificationLink: `${handler}/email-verification?code=sample`,
    userDisplayName: 'Ada Lovelace',
    otp: 'A1B2C3',
  },
  password_reset: { passwordResetLink: `${handler}/password-reset?code=sample`, userDisplayName: 'Ada Lovelace' },
  magic_link: { magicLink: `${handler}/magic-link-callback?code=sample`, otp: 'A1B2C3' },
  team_invitation: { teamInvitationLink: `${handler}/team-invitation?code=sample`, teamDisplayName: 'Engines' },
  sign_in_invitation: { signInInvitationLink: `${handler}/sign-in` },
};

export const messageSamples = { userDisplayName: 'Ada Lovelace' } as const;

/** The variables with their sample values, the project's name last. */
export function listVariables(samples: Variables, projectDisplayName: string): { name: string; sample: string }[] {
  return Object.entries({ ...samples, projectDisplayName }).map(([name, sample = '']) => ({ name, sample }));
}
