import type { MailContent } from '../rendering/content';

export interface MailTemplate {
  readonly subject: string;
  readonly content: MailContent;
}
