import { imagesUrl } from '@tessera/server';
import type pg from 'pg';

/** `{hash}.webp` */
const fileLength = 69;

/**
 * Replaces the URLs of stored images, which name the server and the project of the export. The hash tells that the image
 * is in the file, whatever the address of the old server was.
 *
 * @param options without `publicUrl`, the URLs stay: the address of the servers is unknown
 * @returns the consequences, one sentence each
 */
export async function moveImageUrls(
  client: pg.Client,
  { projectId, publicUrl }: { readonly projectId: string; readonly publicUrl: string | undefined },
): Promise<string[]> {
  const base = publicUrl === undefined ? null : imagesUrl({ publicUrl }, projectId);
  let found = 0;
  for (const statement of statements) found += (await client.query(statement, [projectId, base])).rowCount ?? 0;
  return base === null && found > 0
    ? [`TESSERA_PUBLIC_URL is not set: ${found} URLs of images name the old project, and fail when it is deleted`]
    : [];
}

const logoUrl = `(p.config::jsonb #>> '{branding,logoUrl}')`;

const statements = [
  ...['users', 'teams', 'team_memberships'].map(
    table => `
      update ${table} r set profile_image_url = ${movedUrl('r.profile_image_url')} from images i
      where r.project_id = $1 and i.project_id = $1 and ${refersToImage('r.profile_image_url')}
    `,
  ),
  `
    update projects p set config = jsonb_set(p.config::jsonb, '{branding,logoUrl}', to_jsonb(${movedUrl(logoUrl)}))
    from images i where p.id = $1 and i.project_id = $1 and ${refersToImage(logoUrl)}
  `,
];

function movedUrl(url: string): string {
  return `coalesce($2::text || right(${url}, ${fileLength}), ${url})`;
}

function refersToImage(url: string): string {
  return `right(${url}, ${fileLength}) = encode(i.hash, 'hex') || '.webp' and ${url} ~ '/api/v1/images/[^/]+/[^/]+$'`;
}
