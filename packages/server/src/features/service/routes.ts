import {
  compatibleVersion,
  endpoints,
  openApiDocument,
  requestHeaders,
  serviceEndpoints,
  svixEndpoints,
  withSvixRoutes,
} from '@tessera/protocol';
import type { Call } from '../../core/call.ts';
import type { Settings } from '../../env.ts';
import { type BoundRoute, bind, ConstantJson } from '../../http/bind.ts';
import { refuse } from '../../http/refusal.ts';
import { thisRelease } from '../../platform/database/migration/releases.ts';
import type { Log } from '../../platform/observability/log.ts';
import type { Projects } from '../projects/index.ts';
import { isOwnPackage, judgeVersion } from './rules.ts';

interface ServiceRoutesDeps {
  readonly settings: Pick<Settings, 'publicUrl' | 'svix'>;
  readonly log: Log;
  readonly projects: Projects;
}

export function serviceRoutes(deps: ServiceRoutesDeps): BoundRoute[] {
  let document: ConstantJson | undefined;
  return [
    bind(serviceEndpoints.root, call => welcome(call)),

    bind(serviceEndpoints.checkVersion, call =>
      isOwnPackage(call.request.headers.get(requestHeaders.clientVersion))
        ? ({ upToDate: true } as const)
        : judgeVersion(call.body.clientVersion, compatibleVersion),
    ),

    bind(serviceEndpoints.checkFeatureSupport, call => {
      deps.log.debug({ feature: featureName(call.body) }, 'a client asked for a missing feature');
      return `The feature ${featureName(call.body)} is not supported yet.`;
    }),

    bind(serviceEndpoints.publicKeys, async call => {
      const keys = await deps.projects.signingKeysOf(call.params.project_id);
      if (keys === undefined) refuse(404, 'There is no such project.');
      return { keys: keys.all.map(key => key.publicJwk) };
    }),

    bind(serviceEndpoints.openApi, () => {
      document ??= new ConstantJson({ ...documentOf(deps.settings), openapi: '3.1.0' });
      return document;
    }),
  ];
}

/** Includes the Svix routes when this server serves them itself. */
function documentOf({ publicUrl, svix }: ServiceRoutesDeps['settings']): ReturnType<typeof openApiDocument> {
  const document = openApiDocument(endpoints, { publicUrl, version: thisRelease.version });
  return svix === undefined ? withSvixRoutes(document, Object.values(svixEndpoints)) : document;
}

const levelNames = { client: 'Client', server: 'Server', admin: 'Admin' } as const;

function welcome({ level, project, user }: Call<typeof serviceEndpoints.root>): string {
  const greeting = 'Welcome to Tessera. The API is at work.\n\n';
  if (level === null || project === null) return `${greeting}Authentication: None`;
  const who = user?.primaryEmail ?? user?.id ?? 'None';
  return `${greeting}Authentication: ${levelNames[level]}\n  Project: ${project.id}\n  User: ${who}`;
}

function featureName(body: unknown): string {
  const name = typeof body === 'object' && body !== null && 'feature_name' in body ? body.feature_name : undefined;
  return typeof name === 'string' ? `"${name.slice(0, 100)}"` : 'you asked for';
}
