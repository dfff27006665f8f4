import assert from 'node:assert/strict';
import { join } from 'node:path';
import { checkColors } from './page.mjs';
import { assertNothingHolds, findHolder, get } from './visitor.mjs';

/** Checks of the example app with Vite. */
export async function checkVite({ check, tessera, folder, url }) {
  await check('serves the app at every address', async () => {
    for (const path of ['/', '/handler/sign-in']) {
      const { status, text } = await get(url + path);
      assert.equal(status, 200);
      const [, script] = text.match(/<script type="module"[^>]* src="([^"]+)"/) ?? [];
      assert.ok(script, 'the page loads no script');
      assert.equal((await get(url + script)).status, 200);
    }
  });
  // The bundler decides in which file the settings are.
  await check('holds the publishable key', () =>
    assert.ok(findHolder(join(folder, 'dist'), tessera.publishableClientKey)),
  );
  await check('holds no secret key', () => assertNothingHolds(join(folder, 'dist'), tessera.secretServerKey));
  await checkColors(check, url);
}
