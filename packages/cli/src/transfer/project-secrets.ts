import {
  decryptClientSecret,
  decryptSmtpPassword,
  encryptClientSecret,
  encryptSmtpPassword,
  type Secrets,
} from '@tessera/server';

/** A project's configuration, as stored in the database. */
export type StoredConfig = Readonly<Record<string, unknown>>;

interface StoredProvider {
  readonly id: string;
  readonly type: string;
  readonly sealedClientSecret?: string;
}

/** Secrets of a configuration, by their place in it. */
export type ConfigSecrets = Readonly<Record<string, string>>;

const mailServer = 'emailConfig';
const placeOf = ({ id }: StoredProvider) => `oauthProviders.${id}`;

/** Takes the encrypted secrets out of a configuration. @throws on a secret of an unknown kind */
export function splitConfig(config: StoredConfig): { config: StoredConfig; encrypted: ConfigSecrets } {
  const encrypted: Record<string, string> = {};
  const providers = providersOf(config).map(provider => {
    const { sealedClientSecret, ...rest } = provider;
    if (sealedClientSecret !== undefined) encrypted[placeOf(provider)] = sealedClientSecret;
    return rest;
  });
  const { sealedPassword, ...email } = emailOf(config);
  if (typeof sealedPassword === 'string') encrypted[mailServer] = sealedPassword;
  const split = {
    ...config,
    ...('oauthProviders' in config && { oauthProviders: providers }),
    ...('emailConfig' in config && { emailConfig: email }),
  };
  if (hasSecrets(split)) throw new Error('the configuration has secrets of an unknown kind');
  return { config: split, encrypted };
}

/** Decrypts one secret. @throws when another installation encrypted it */
export function decryptAt(place: string, encrypted: string, secrets: Secrets): string {
  return place === mailServer ? decryptSmtpPassword(encrypted, secrets) : decryptClientSecret(encrypted, secrets);
}

/**
 * Encrypts plain secrets with the key of this installation and puts them back. Leaves out what cannot work without a
 * missing secret: an OAuth provider of the project, and its mail server.
 */
export function joinConfig(
  config: StoredConfig,
  found: ConfigSecrets,
  secrets: Secrets,
): { config: StoredConfig; leftOut: string[] } {
  const providers = providersOf(config).map(provider => {
    const secret = found[placeOf(provider)];
    return secret === undefined ? provider : { ...provider, sealedClientSecret: encryptClientSecret(secret, secrets) };
  });
  const usable = providers.filter(
    ({ type, sealedClientSecret }) => type !== 'standard' || sealedClientSecret !== undefined,
  );
  const email = emailOf(config);
  const password = found[mailServer];
  const hasMailServer = email.type !== 'standard' || password !== undefined;
  const joinedEmail =
    password === undefined ? email : { ...email, sealedPassword: encryptSmtpPassword(password, secrets) };
  return {
    config: {
      ...config,
      ...('oauthProviders' in config && { oauthProviders: usable }),
      ...('emailConfig' in config && { emailConfig: hasMailServer ? joinedEmail : { type: 'shared' } }),
    },
    leftOut: [
      ...providers.filter(provider => !usable.includes(provider)).map(({ id }) => `OAuth provider ${id}`),
      ...(hasMailServer ? [] : ["the project's own mail server"]),
    ],
  };
}

/** Whether a configuration contains an encrypted value. The names of such keys begin with `sealed`. */
function hasSecrets(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, inner]) => key.startsWith('sealed') || hasSecrets(inner));
}

function providersOf({ oauthProviders }: StoredConfig): StoredProvider[] {
  return Array.isArray(oauthProviders) ? oauthProviders : [];
}

function emailOf({ emailConfig }: StoredConfig): Readonly<Record<string, unknown>> {
  return Object(emailConfig ?? {});
}
