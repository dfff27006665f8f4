import type { Context } from '../../app/context.ts';

/** Writing to users. */
export interface SendEmailMethods {
  /**
   * Writes to users, each of whom may have switched the category off. The mails are queued; the log of sent mails shows
   * what became of them.
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
