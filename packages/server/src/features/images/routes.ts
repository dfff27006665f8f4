import { imageEndpoints } from '@tessera/protocol';
import { type BoundRoute, bind, ResponseOverride } from '../../http/bind.ts';
import { refuse } from '../../http/refusal.ts';
import type { Database } from '../../platform/database/database.ts';
import { selectImage } from './store.ts';

/** Pages with cross-origin isolation (COEP) can load the images, too. */
const headers = { 'cross-origin-resource-policy': 'cross-origin' };

export function imageRoutes({ db }: { readonly db: Database }): BoundRoute[] {
  return [
    bind(imageEndpoints.read, async ({ params }) => {
      const hash = Buffer.from(params.file.slice(0, 64), 'hex');
      const content = await selectImage(db, params.project_id, hash);
      return new ResponseOverride(content ?? refuse(404, 'There is no such image.'), { headers });
    }),
  ];
}
