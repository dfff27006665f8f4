import * as z from 'zod';

/** A profile as the provider sends it. */
export interface RawProfile {
  readonly accountId: string;
  readonly displayName?: string | null | undefined;
  readonly email?: string | null | undefined;
  /** The provider has verified the address. */
  readonly isEmailVerified: boolean;
  readonly imageUrl?: string | null | undefined;
}

/** The responses of the profile endpoints, by their names in the provider's row. */
export type Documents = Readonly<Record<string, unknown>>;

/** Some providers send ids as numbers. */
const id = z.union([z.string(), z.number()]).transform(String);
const text = z.string().nullish();
/** Some providers send booleans as strings. */
const flag = z
  .unknown()
  .optional()
  .transform(value => value === true || value === 'true');

const openIdClaims = z.object({ sub: id, name: text, email: text, email_verified: flag, picture: text });

/** The claims of OpenID Connect Core 5.1, of the userinfo endpoint. */
export function openIdProfile({ user }: Documents): RawProfile {
  const { sub, name, email, email_verified: isEmailVerified, picture } = openIdClaims.parse(user);
  return { accountId: sub, displayName: name, email, isEmailVerified, imageUrl: picture };
}

/** The claims of an ID token without name and image. */
export function idTokenProfile(claims: unknown): RawProfile {
  const { sub, email, email_verified: isEmailVerified } = openIdClaims.parse(claims);
  return { accountId: sub, email, isEmailVerified };
}

const githubUser = z.object({ id, name: text, avatar_url: text });
const githubEmails = z.array(z.object({ email: z.string(), primary: flag, verified: flag }));

export function githubProfile({ user, emails }: Documents): RawProfile {
  const { id: accountId, name, avatar_url: imageUrl } = githubUser.parse(user);
  const primary = githubEmails.parse(emails).find(entry => entry.primary);
  const address = { email: primary?.email, isEmailVerified: primary?.verified === true };
  return { accountId, displayName: name, ...address, imageUrl };
}

const microsoftUser = z.object({ id, displayName: text, mail: text, userPrincipalName: text });

/** Microsoft does not verify the address: the administrator of the tenant writes it. */
export function microsoftProfile({ user }: Documents): RawProfile {
  const { id: accountId, displayName, mail, userPrincipalName } = microsoftUser.parse(user);
  return { accountId, displayName, email: mail || userPrincipalName, isEmailVerified: false };
}

const spotifyUser = z.object({
  id,
  display_name: text,
  email: text,
  images: z.array(z.object({ url: text })).nullish(),
});

export function spotifyProfile({ user }: Documents): RawProfile {
  const { id: accountId, display_name: displayName, email, images } = spotifyUser.parse(user);
  return { accountId, displayName, email, isEmailVerified: false, imageUrl: images?.[0]?.url };
}

const facebookUser = z.object({ id, name: text, email: text });
const facebookPicture = z.object({ data: z.object({ url: text }) });

export function facebookProfile({ user, picture }: Documents): RawProfile {
  const { id: accountId, name, email } = facebookUser.parse(user);
  const found = facebookPicture.safeParse(picture);
  return { accountId, displayName: name, email, isEmailVerified: false, imageUrl: found.data?.data.url };
}

const discordUser = z.object({ id, username: text, global_name: text, email: text, verified: flag, avatar: text });

export function discordProfile({ user }: Documents): RawProfile {
  const { id: accountId, username, global_name: globalName, email, verified, avatar } = discordUser.parse(user);
  return {
    accountId,
    displayName: globalName || username,
    email,
    isEmailVerified: verified,
    imageUrl: avatar ? discordAvatar(accountId, avatar) : null,
  };
}

/** The hash of an animated avatar starts with `a_`. */
function discordAvatar(accountId: string, hash: string): string {
  return `https://cdn.discordapp.com/avatars/${accountId}/${hash}.${hash.startsWith('a_') ? 'gif' : 'png'}`;
}

const gitlabUser = z.object({ id, name: text, email: text, avatar_url: text });
const gitlabEmails = z.array(z.object({ email: z.string(), confirmed_at: text }));

export function gitlabProfile({ user, emails }: Documents): RawProfile {
  const { id: accountId, name, email, avatar_url: imageUrl } = gitlabUser.parse(user);
  const entry = gitlabEmails.parse(emails).find(one => one.email === email);
  return { accountId, displayName: name, email, isEmailVerified: Boolean(entry?.confirmed_at), imageUrl };
}

const bitbucketUser = z.object({
  account_id: id,
  display_name: text,
  links: z.object({ avatar: z.object({ href: text }).nullish() }).nullish(),
});
const bitbucketEmails = z.object({ values: z.array(z.object({ email: z.string(), is_confirmed: flag })) });

export function bitbucketProfile({ user, emails }: Documents): RawProfile {
  const { account_id: accountId, display_name: displayName, links } = bitbucketUser.parse(user);
  const [first] = bitbucketEmails.parse(emails).values;
  const address = { email: first?.email, isEmailVerified: first?.is_confirmed === true };
  return { accountId, displayName, ...address, imageUrl: links?.avatar?.href };
}

const xUser = z.object({ data: z.object({ id, name: text, username: text, profile_image_url: text }) });

export function xProfile({ user }: Documents): RawProfile {
  const { id: accountId, name, username, profile_image_url: imageUrl } = xUser.parse(user).data;
  return { accountId, displayName: name || username, email: null, isEmailVerified: false, imageUrl };
}

/**
 * At the mock provider the login name is both account id and address
 * (docs/contract/oauth.md#provider-configuration).
 */
export function mockProviderProfile(claims: unknown): RawProfile {
  const { sub } = openIdClaims.parse(claims);
  return { accountId: sub, email: sub, isEmailVerified: true };
}
