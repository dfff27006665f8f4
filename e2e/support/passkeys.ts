import type { Page } from 'playwright-core';

/** Adds a virtual device with passkeys that confirms every request. */
export async function addAuthenticator(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const send = session.send.bind(session);
  return {
    passkeys: async () => (await send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
    refuse: () => send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false }),
  };
}
