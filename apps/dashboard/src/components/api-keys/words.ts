/** The words of a list of API keys. */
export const words = {
  ending: (lastFour: string) => `ends in ${lastFour}`,
  invalid: { 'manually-revoked': 'revoked', expired: 'expired' },
  expires: 'expires',
  neverExpires: 'never expires',
  openSettings: 'Switch them on in the project settings',
  revoke: 'Revoke',
  revokeNamed: (description: string) => `Revoke the key “${description}”`,
  revokeTitle: (description: string) => `Revoke the key “${description}”?`,
  revokeText: 'Programs that use this key are refused at once. A revoked key cannot be restored.',
  revoked: 'The key was revoked',
} as const;
