import * as z from 'zod';

/** What a provider tells of somebody, before it is tidied. */
export interface RawProfile {
  readonly accountId: string;
  readonly displayName?: string | null | undefined;
  readonly email?: string | null | undefined;
  /** The provider vouches for the address. */
  readonly isEmailVerified: boolean;
  readonly imageUrl?: string | null | undefined;
}

/** The documents that a provider answers, by the names that its row gives them. */
export type Documents = Readonly<Record<string, unknown>>;

/** Some write ids as numbers. */
const id = z.union([z.string(), z.number()]).transform(String);
const text = z.string().nullish();
/** Some write flags as words. */
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

/** The claims of an ID token that says who, and nothing of how they look. */
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

/** The directory of a tenant says what its administrator wrote: Microsoft does not vouch for the address. */
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

/** Animated ones are marked in their hash. */
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
 * Whatever somebody signs in as at the stand-in is account id and address alike
 * (docs/contract/oauth.md#provider-configuration).
 */
export function mockProviderProfile(claims: unknown): RawProfile {
  const { sub } = openIdClaims.parse(claims);
  return { accountId: sub, email: sub, isEmailVerified: true };
}
