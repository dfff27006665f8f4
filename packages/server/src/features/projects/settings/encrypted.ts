import type { Secrets } from '../../../platform/crypto/secrets.ts';

const clientSecretPurpose = 'oauth client secret';
const smtpPasswordPurpose = 'smtp password';

/** A client secret as the configuration holds it: encrypted under the installation's key, as base64 (control 99). */
export function encryptClientSecret(clientSecret: string, secrets: Secrets): string {
  return secrets.encrypt(clientSecretPurpose, clientSecret).toString('base64');
}

/** The client secret of an OAuth provider. @throws when it was encrypted under another installation's key */
export function decryptClientSecret(sealedClientSecret: string, secrets: Secrets): string {
  return secrets.decrypt(clientSecretPurpose, Buffer.from(sealedClientSecret, 'base64')).toString();
}

/** An SMTP password as the configuration holds it: encrypted under the installation's key, as base64 (control 99). */
export function encryptSmtpPassword(password: string, secrets: Secrets): string {
  return secrets.encrypt(smtpPasswordPurpose, password).toString('base64');
}

/** The password of a project's mail server. @throws when it was encrypted under another installation's key */
export function decryptSmtpPassword(sealedPassword: string, secrets: Secrets): string {
  return secrets.decrypt(smtpPasswordPurpose, Buffer.from(sealedPassword, 'base64')).toString();
}

/** How secrets are named inside the configuration, with what they are encrypted for. */
export const encryptedSettings: Readonly<Record<string, string>> = {
  sealedClientSecret: clientSecretPurpose,
  sealedPassword: smtpPasswordPurpose,
};
