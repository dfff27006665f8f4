import type { Secrets } from '../../../platform/crypto/secrets.ts';

const clientSecretPurpose = 'oauth client secret';
const smtpPasswordPurpose = 'smtp password';

/** Encrypts a client secret for the configuration, under the installation's key, as base64 (control 99). */
export function encryptClientSecret(clientSecret: string, secrets: Secrets): string {
  return secrets.encrypt(clientSecretPurpose, clientSecret).toString('base64');
}

/** Decrypts the client secret of an OAuth provider. @throws when it was encrypted under the key of another installation */
export function decryptClientSecret(sealedClientSecret: string, secrets: Secrets): string {
  return secrets.decrypt(clientSecretPurpose, Buffer.from(sealedClientSecret, 'base64')).toString();
}

/** Encrypts an SMTP password for the configuration, under the installation's key, as base64 (control 99). */
export function encryptSmtpPassword(password: string, secrets: Secrets): string {
  return secrets.encrypt(smtpPasswordPurpose, password).toString('base64');
}

/** Decrypts the password of a mail server. @throws when it was encrypted under the key of another installation */
export function decryptSmtpPassword(sealedPassword: string, secrets: Secrets): string {
  return secrets.decrypt(smtpPasswordPurpose, Buffer.from(sealedPassword, 'base64')).toString();
}

/** The keys of secrets in the configuration, with the purpose of their encryption. */
export const encryptedSettings: Readonly<Record<string, string>> = {
  sealedClientSecret: clientSecretPurpose,
  sealedPassword: smtpPasswordPurpose,
};
