import { logAttempt, type Secrets, type Transaction } from '@tessera/server';
import { type CompanyOptions, dayMs, historyDays, isProvider, type User, usersOf } from './company.ts';
import { createRandom } from './random.ts';

const seed = 20_260_703;
const maxEmails = 300;

const senderAddress = 'hello@northwind.example';
const mailServer = { host: 'smtp.northwind.example', port: 587, username: 'northwind' };

/** Writes the log of the emails to new users: one to each who signed up with an address. Unverified addresses were refused. */
export async function logEmails(
  tx: Transaction,
  { company, projectId, secrets }: { company: CompanyOptions; projectId: string; secrets: Secrets },
): Promise<void> {
  const sinceMillis = company.nowMillis - historyDays * dayMs;
  let count = 0;
  for (const user of usersOf(company)) {
    if (user.address === null || user.signedUpAtMillis < sinceMillis) continue;
    // A provider has verified the address already.
    if (isProvider(user.method)) continue;
    await logEmail(tx, { user, to: user.address, from: company.name, projectId, secrets });
    count += 1;
    if (count === maxEmails) return;
  }
}

async function logEmail(
  tx: Transaction,
  email: { user: User; to: string; from: string; projectId: string; secrets: Secrets },
): Promise<void> {
  const { user, to, from: name, projectId, secrets } = email;
  const random = createRandom(seed, user.number);
  const subject = user.method === 'otp' ? `Sign in to ${name}: your code` : `Verify your email address for ${name}`;
  const from = { name, address: senderAddress };
  const message = { id: random.uuid(), projectId, from, to, subject, html: '', text: '' };
  const response = `550 5.1.1 <${to}>: Recipient address rejected: User unknown`;
  const refused = {
    type: 'REJECTED',
    canRetry: false,
    message: `The mail server rejected the mail: ${response}`,
    raw: { code: 'EENVELOPE', responseCode: 550, response },
  } as const;
  const failure = user.isVerified ? null : refused;
  const clock = { now: () => user.signedUpAtMillis + 900 };
  await logAttempt(tx, { message, type: 'shared', server: mailServer, failure }, { secrets, clock });
}
