import { openStorage } from '../storage/browser-storage.ts';

/** Longer than a reset link is valid. */
const keptMs = 24 * 60 * 60_000;

/**
 * The address that a reset link was requested for, kept in this browser because the link opens a new tab. The form of the
 * new password carries it, so that a password manager saves the pair.
 */
export function resetAddress(projectId: string) {
  const kept = openStorage('local', `tessera.reset-address.${projectId}`);
  return {
    read(): string | undefined {
      const [sentAt = '', email] = kept.read()?.split(' ') ?? [];
      return Date.now() - Number(sentAt) < keptMs ? email : undefined;
    },
    write: (email: string) => kept.write(`${Date.now()} ${email}`),
    clear: kept.clear,
  };
}
