import { setup } from './setup/setup.mjs';
import { main } from './setup/terminal.mjs';

/** `npm run build [-- --no-types] [names …]`: builds all packages, also current ones, with type declarations. */
await main(async args => {
  const names = args.filter(arg => !arg.startsWith('--'));
  await setup({ types: !args.includes('--no-types'), only: names.length > 0 ? names : undefined, force: true });
});
