/** The words of the components for code, which only some pages load. */
export const words = {
  secret: {
    once: 'Copy it now. It is shown only once.',
    stored: 'I have stored it',
    leave: {
      title: 'Leave without storing it?',
      text: 'It is shown only here and cannot be shown again. It stays valid until it is revoked.',
    },
  },
  metadata: {
    title: 'Metadata',
    saved: 'The metadata was saved',
    tier: {
      clientMetadata: 'Client metadata',
      clientReadOnlyMetadata: 'Client read-only metadata',
      serverMetadata: 'Server metadata',
    },
  },
  json: { invalid: 'This is not valid JSON' },
} as const;
