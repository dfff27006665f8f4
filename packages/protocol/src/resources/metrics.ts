import * as z from 'zod';
import { endpoint } from '../endpoint.ts';
import { metricDays, metricHistoryDaysMax, metricMonths } from '../limits.ts';
import { serverUser } from './accounts/users.ts';

const count = z.number().int().min(0);

const days = z
  .array(z.strictObject({ date: z.iso.date(), activity: count }))
  .length(metricDays)
  .meta({ description: 'Today (UTC) and the days before it, oldest first.' });

/** docs/contract/emails-webhooks-metrics.md#metrics */
export const metricsEndpoints = {
  read: endpoint({
    method: 'GET',
    path: '/internal/metrics',
    access: 'admin',
    response: z.strictObject({
      total_users: count,
      daily_users: days,
      daily_active_users: days,
      users_by_country: z.record(z.string(), count),
      recently_registered: z.array(serverUser),
      recently_active: z.array(serverUser),
      login_methods: z.array(z.strictObject({ method: z.string(), count })),
    }),
    summary: 'Read the number of users and their activity',
    tag: 'Projects',
    errors: [],
  }),

  /** An extension (docs/contract/emails-webhooks-metrics.md#metrics-history). */
  history: endpoint({
    method: 'GET',
    path: '/internal/extensions/metrics-history',
    access: 'admin',
    query: z.strictObject({
      days: z
        .number()
        .int()
        .min(1)
        .max(metricHistoryDaysMax)
        .optional()
        .meta({ default: metricHistoryDaysMax, description: 'How many days to list, today included.' }),
    }),
    response: z.strictObject({
      days: z
        .array(z.strictObject({ date: z.iso.date(), sign_ups: count, active_users: count }))
        .meta({ description: 'Days in UTC, oldest first.' }),
      months: z
        .array(
          z.strictObject({
            month: z.string().regex(/^\d{4}-\d{2}$/),
            active_users: count
              .nullable()
              .meta({ description: 'Different users who were seen; null for a month before the server counted them.' }),
          }),
        )
        .length(metricMonths)
        .meta({ description: 'Calendar months in UTC, oldest first.' }),
    }),
    summary: 'Read sign-ups and active users of up to a year',
    tag: 'extension',
    errors: [],
  }),
};
