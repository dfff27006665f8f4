import type { RateLimitName } from '@tessera/client';

/** What each rate limit counts, in words. */
const limitNames: Readonly<Record<RateLimitName, string>> = {
  failedSignInsPerAccount: 'Failed sign-ins for one account',
  failedSignInsFromUnknownBlocks: 'Failed sign-ins for one account, from unknown addresses',
  failedSecondFactorsFromUnknownBlocks: 'Wrong second factors for one account, from unknown addresses',
  failedSignInsPerAddress: 'Failed sign-ins from one address',
  codeAttemptsPerAccount: 'Wrong codes for one account',
  codeAttemptsPerAddress: 'Wrong codes from one address',
  mailsPerRecipient: 'Emails to one recipient',
  mailsPerAddress: 'Emails that one address causes',
  mailsPerProject: 'Emails of the project',
  mailQuotaEventsPerProject: 'Reports of a full email quota',
  oauthFlowsPerAddress: 'Sign-ins with a provider from one address',
  unknownOAuthCodesPerAddress: 'Unknown authorization codes from one address',
  signUpsPerAddress: 'Sign-ups from one address',
  channelAdditionsPerUser: 'New email addresses of one user',
  channelAdditionsPerAddress: 'New email addresses of users, from one address',
  clientWritesPerUser: 'Changes by one user',
  teamCreationsPerUser: 'New teams of one user',
  apiKeyCreationsPerUser: 'New API keys of one user',
  imageUploadsPerUser: 'Images of one user',
  dataExportsPerUser: 'Exports of the own data by one user',
  signInsPerAccount: 'Sign-ins to one account',
  signInsPerAddress: 'Sign-ins from one address',
  tokenExchangesPerSession: 'Refreshes of one session',
  cliLoginsPerAddress: 'Logins of command line tools from one address',
  cliPollsPerAddress: 'Waiting command line tools at one address',
  passkeyChallengesPerAddress: 'Passkey prompts from one address',
  projectCreationsPerUser: 'New projects by one person',
  projectInvitationsPerRecipient: 'Project invitations to one address',
  sharedMailsPerRecipient: 'Emails of all projects to one address',
  projectInvitationsPerUser: 'Project invitations by one person',
  testEmailsPerProject: 'Test emails',
  emailsSentAgainPerProject: 'Failed emails that are sent again',
  messagesPerProject: 'Messages to users',
  messageBatchesPerProject: 'Batches of messages to users',
  webhookChangesPerProject: 'Changes of webhooks',
};

/** The words of a limit. A server of another release may name one that is not known here. */
export function limitWords(name: string): string {
  return Object.hasOwn(limitNames, name) ? limitNames[name as RateLimitName] : name;
}
