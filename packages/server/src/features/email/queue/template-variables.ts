import type { Database } from '../../../platform/database/database.ts';
import type { Template } from './mail.ts';
import { selectOwnTemplate } from './store.ts';

/** Whether the code of an email is shown in it: a project may have a template of its own that leaves it out. */
export async function showsTypedCode(db: Database, projectId: string, template: Template): Promise<boolean> {
  const own = await selectOwnTemplate(db, projectId, template);
  return own === undefined || /\{\{ ?otp ?\}\}/.test(own.subject + JSON.stringify(own.content));
}
