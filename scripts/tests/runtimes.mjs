import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run, runNpm } from '../setup/processes.mjs';
import { Problem } from '../setup/terminal.mjs';
import { root } from '../setup/workspace.mjs';
import { signUp } from './examples/visitor.mjs';

/** The runtimes as npm packages. Dependencies of the repository would cost every developer 350 MB. */
const packages = { '@edge-runtime/vm': '5.0.0', bun: '1.4.5', deno: '2.9.6', workerd: '1.20261117.1' };

/** A module that asks `authenticate` about a valid token, a forged one, and none. */
const checkModule = `import { ServerApp } from '@tessera/client';

export async function checkAuthenticate({ options, accessToken }) {
  const app = new ServerApp({ tokenStore: null, ...options });
  const ask = async headers => {
    const session = await app.authenticate(new Request('https://app.example/', { headers }));
    return session.status === 'signed-in' ? session.userId : session.reason;
  };
  const bearer = token => ({ authorization: \`Bearer \${token}\` });
  const [header, payload, signature] = accessToken.split('.');
  const forged = [header, payload, [...signature].reverse().join('')].join('.');
  return [await ask(bearer(accessToken)), await ask(bearer(forged)), await ask({})];
}
`;

/** Runs the check in a folder that has the runtime, and returns what it prints. */
const runtimes = {
  Bun: folder => outputOf(folder, 'bun', ['run', 'main.mjs']),
  Deno: folder => outputOf(folder, 'deno', ['run', '--allow-net', '--allow-env', '--allow-read', 'main.mjs']),
  'the edge runtime of Vercel': inEdgeRuntime,
  'Cloudflare Workers (workerd)': inWorker,
};

/** Installs the packed SDK with other runtimes than Node, and authenticates a request in each of them. */
export async function tryRuntimes({ folder, tessera, check }) {
  const isThere = await check('runtimes: installs Bun, Deno, workerd and the edge runtime', () => install(folder));
  if (!isThere) return;

  const person = await signUp(tessera);
  const { url: baseUrl, projectId, publishableClientKey, secretServerKey } = tessera;
  const options = { baseUrl, projectId, publishableClientKey, secretServerKey };
  const given = JSON.stringify({ options, accessToken: person.tokens.accessToken });
  const result = `const result = JSON.stringify(await checkAuthenticate(${given}));`;
  const imported = `import { checkAuthenticate } from './check.mjs';\n`;
  // The other runtimes are programs of their own: the test reads the result from their output.
  writeFileSync(join(folder, 'main.mjs'), `${imported}${result}\nconsole.log(result);\n`);
  writeFileSync(
    join(folder, 'worker.mjs'),
    `${imported}export default { async test() { ${result}\nconsole.log(result); } };\n`,
  );
  writeFileSync(
    join(folder, 'edge.mjs'),
    `${imported}globalThis.answer = async () => { ${result}\nreturn result; };\n`,
  );

  for (const [name, answer] of Object.entries(runtimes)) {
    await check(`runtimes: authenticate works in ${name}`, async () => {
      assert.deepEqual(JSON.parse(await answer(folder)), [person.id, 'invalid-token', 'no-token']);
    });
  }
}

async function install(folder) {
  mkdirSync(folder);
  writeFileSync(join(folder, 'check.mjs'), checkModule);
  const ours = ['client', 'protocol'].map(name => [
    `@tessera/${name}`,
    `file:${root}/packed/tessera-${name}-0.1.0.tgz`,
  ]);
  const manifest = { private: true, type: 'module', dependencies: { ...Object.fromEntries(ours), ...packages } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const quietly = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error'];
  const { ok, output } = await runNpm(['install', ...quietly], { cwd: folder });
  if (!ok) throw new Problem(`${output.trim()}\n\nnpm install failed.`);
}

async function outputOf(folder, program, args) {
  const { ok, output, stdout } = await run(join(folder, 'node_modules/.bin', program), args, { cwd: folder });
  if (!ok) throw new Problem(output);
  return stdout;
}

async function inEdgeRuntime(folder) {
  const code = await bundle(folder, 'edge.mjs', 'iife');
  const { EdgeVM } = await import(pathToFileURL(join(folder, 'node_modules/@edge-runtime/vm/dist/index.js')).href);
  const vm = new EdgeVM();
  vm.evaluate(code);
  return vm.context.answer();
}

/** Workers may not connect to private addresses by default, and the server of the test is on this machine. */
const workerConfig = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "app", worker = (
      modules = [(name = "worker", esModule = embed "worker.js")],
      compatibilityDate = "2026-01-01",
      compatibilityFlags = ["nodejs_compat"],
    )),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
);
`;

async function inWorker(folder) {
  writeFileSync(join(folder, 'worker.js'), await bundle(folder, 'worker.mjs', 'esm'));
  writeFileSync(join(folder, 'config.capnp'), workerConfig);
  return outputOf(folder, 'workerd', ['test', 'config.capnp']);
}

/** One file, as the tools of these platforms make it. */
async function bundle(folder, file, format) {
  const { rolldown } = await import('rolldown');
  const bundled = await rolldown({
    input: join(folder, file),
    platform: 'neutral',
    resolve: { mainFields: ['module', 'main'] },
    // The SDK asks for variables of Vite, which do not exist here.
    transform: { define: { 'import.meta': '{}' } },
  });
  const { output } = await bundled.generate({ format, codeSplitting: false });
  return output[0].code;
}
