import { emailTemplateEndpoints, emailTemplateTypes, fail } from '@tessera/protocol';
import { type BoundRoute, bind } from '../../../http/bind.ts';
import { refuse } from '../../../http/refusal.ts';
import type { Database } from '../../../platform/database/database.ts';
import { selectOwnTemplate, selectOwnTemplates } from '../queue/store.ts';
import { mailContentOf } from '../rendering/content.ts';
import { deleteTemplate, saveTemplate } from '../store.ts';
import { defaultTemplate } from '../templates/templates.ts';
import { templateView } from '../wire.ts';

export interface TemplateRoutesDeps {
  readonly db: Database;
}

/** docs/contract/emails-webhooks-metrics.md#email-templates */
export function emailTemplateRoutes(deps: TemplateRoutesDeps): BoundRoute[] {
  return [
    bind(emailTemplateEndpoints.list, async ({ project }) => {
      const own = await selectOwnTemplates(deps.db, project.id);
      const items = emailTemplateTypes.map(type => templateView(type, own.get(type), defaultTemplate(type)));
      return { items, is_paginated: false } as const;
    }),

    bind(emailTemplateEndpoints.read, async ({ project, params: { type } }) =>
      templateView(type, await selectOwnTemplate(deps.db, project.id, type), defaultTemplate(type)),
    ),

    bind(emailTemplateEndpoints.update, async ({ project, params: { type }, body }) => {
      if (project.config.emailConfig.type === 'shared') {
        refuse(400, 'Templates can be changed once the project sends mail through a server of its own.');
      }
      const { content } = body;
      if (content !== undefined && mailContentOf(content) === undefined) {
        refuse(400, 'The content does not consist of blocks that a mail can have.');
      }
      const subject = body.subject === '' ? undefined : body.subject;
      const parts = { subject, content, otherwise: defaultTemplate(type) };
      const own = await saveTemplate(deps.db, project.id, type, parts);
      const written = own ?? fail('PROJECT_NOT_FOUND', { project_id: project.id });
      return templateView(type, written, defaultTemplate(type));
    }),

    bind(emailTemplateEndpoints.reset, async ({ project, params: { type } }) => {
      const wasThere = await deleteTemplate(deps.db, project.id, type);
      return wasThere ? ({ success: true } as const) : refuse(404, 'The template has not been changed.');
    }),
  ];
}
