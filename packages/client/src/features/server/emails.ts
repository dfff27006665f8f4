import type { Context } from '../../app/context.ts';

/** Emails from a server to users. */
export interface SendEmailMethods {
  /**
   * Sends an email to users. A user who has switched the category off gets none. The emails are queued; the log of sent
   * emails shows whether each one was delivered.
   *
   * @throws when the project uses the mail server of the installation, or there is no such category.
   */
  sendEmail(options: {
    userIds: readonly string[];
    subject: string;
    /** HTML. */
    content: string;
    /** E.g. `Marketing`. */
    notificationCategoryName: string;
  }): Promise<void>;
}

export function sendEmail(ctx: Context<'server'>): { methods: SendEmailMethods } {
  return {
    methods: {
      async sendEmail({ userIds, subject, content, notificationCategoryName }) {
        await ctx.call('POST /emails/send-email', {
          body: {
            user_ids: [...userIds],
            subject,
            html: content,
            notification_category_name: notificationCategoryName,
          },
          session: null,
        });
      },
    },
  };
}
