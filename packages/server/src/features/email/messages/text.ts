import type { Json } from '@tessera/protocol';
import * as z from 'zod';
import type { Secrets } from '../../../platform/crypto/secrets.ts';

/** Encryption purpose of the text of messages to users. */
export const messagePurpose = 'message';

const written = z.object({ subject: z.string(), content: z.json() });

/** Subject and blocks of a message. */
export interface MessageText {
  readonly subject: string;
  readonly content: Json;
}

export function encryptMessage(text: MessageText, secrets: Secrets): Buffer {
  return secrets.encrypt(messagePurpose, JSON.stringify(text));
}

export function decryptMessage(encrypted: Buffer, secrets: Secrets): MessageText {
  return written.parse(JSON.parse(secrets.decrypt(messagePurpose, encrypted).toString()));
}
