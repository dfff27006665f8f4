/**
 * The pages that a visitor reaches through an email, a provider, another page or an error. They are one file: each is
 * small and seldom seen, and a dozen files are 5 KB larger.
 */
export { AccountDeletion } from '../components/account-deletion/account-deletion.tsx';
export { ErrorPage } from '../components/cards/error-page.tsx';
export { MessageCard } from '../components/cards/message-card.tsx';
export { CliAuthConfirmation } from '../components/cli-login/cli-auth-confirmation.tsx';
export { EmailVerification } from '../components/codes/email-verification.tsx';
export { MagicLinkCallback } from '../components/codes/magic-link-callback.tsx';
export { OAuthCallback } from '../components/oauth/oauth-callback.tsx';
export { PasskeyOffer } from '../components/passkey/passkey-offer.tsx';
export { ForgotPassword } from '../components/password-reset/forgot-password.tsx';
export { PasswordReset } from '../components/password-reset/password-reset.tsx';
export { MFA } from '../components/second-factor/mfa.tsx';
export { SignOut } from '../components/sign-out/sign-out.tsx';
export { TeamInvitation } from '../components/teams/team-invitation.tsx';
export { MisplacedCard, NotFoundCard } from '../handler/notice-cards.tsx';
