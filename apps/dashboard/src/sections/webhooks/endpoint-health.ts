import type { WebhookAttempt, WebhookDeliveryStatus } from '@tessera/client';

type Attempt = Pick<WebhookAttempt, 'messageId' | 'status'>;

/** The newest attempts by which an endpoint is judged. */
export const judgedAttempts = 5;

/** Whether the newest attempts have all failed. */
export function isFailing(newestFirst: readonly Attempt[]): boolean {
  const judged = newestFirst.slice(0, judgedAttempts);
  return judged.length > 0 && judged.every(({ status }) => status === 'fail');
}

/** The displayed state of a delivery: one that waits for a further attempt after a failed one is not just waiting. */
export function deliveryState(
  { id, status }: { readonly id: string; readonly status: WebhookDeliveryStatus },
  attempts: readonly Attempt[],
): WebhookDeliveryStatus | 'retrying' {
  const hasFailed = attempts.some(attempt => attempt.messageId === id && attempt.status === 'fail');
  return status === 'pending' && hasFailed ? 'retrying' : status;
}
