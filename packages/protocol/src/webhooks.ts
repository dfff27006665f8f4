/** Every webhook event type (docs/contract/emails-webhooks-metrics.md#webhooks). */
export const webhookEventTypes = [
  'user.created',
  'user.updated',
  'user.deleted',
  'team.created',
  'team.updated',
  'team.deleted',
  'team_membership.created',
  'team_membership.deleted',
  'team_permission.created',
  'team_permission.deleted',
  'project_permission.created',
  'project_permission.deleted',
] as const;

export type WebhookEventType = (typeof webhookEventTypes)[number];
