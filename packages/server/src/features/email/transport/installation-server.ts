import { isUnreachable } from '../queue/failures.ts';
import { type SmtpServer, smtpTransport } from './smtp.ts';
import type { Transport } from './transport.ts';

/** No email is tried for this time after one found that the server cannot be reached. */
const pauseMs = 5_000;

/**
 * A transport to the mail server of the installation. While it cannot be reached there is no room for emails, so a long queue
 * does not open a connection for each of them.
 *
 * @param nowMs default: the monotonic clock
 */
export function installationTransport(smtp: SmtpServer, nowMs = () => performance.now()): Transport {
  const transport = smtpTransport(smtp);
  let triesAgainAtMs = 0;
  return {
    ...transport,
    async send(message) {
      const failure = await transport.send(message);
      if (failure !== null && isUnreachable(failure)) triesAgainAtMs = nowMs() + pauseMs;
      return failure;
    },
    room: () => (nowMs() < triesAgainAtMs ? 'later' : 'now'),
  };
}
