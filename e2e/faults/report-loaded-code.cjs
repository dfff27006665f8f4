// Loaded before the server: reports at its end which costly code Node has loaded.
const formatters = new Set();
for (const name of Object.keys(Object.getOwnPropertyDescriptors(Intl))) {
  if (typeof Intl[name] !== 'function' || Intl[name].prototype === undefined) continue;
  Intl[name] = new Proxy(Intl[name], {
    construct(target, args, newTarget) {
      formatters.add(target.name);
      return Reflect.construct(target, args, newTarget);
    },
  });
}

process.on('exit', () => {
  const loaded = [
    ...process.moduleLoadList.filter(name => name.includes('deps/undici/undici')),
    ...[...formatters].map(name => `Intl.${name}`),
    ...Object.keys(require.cache).filter(file => /rate-limiter-flexible\/index\.js$/.test(file)),
  ];
  process.stdout.write(`costly code: ${loaded.join(', ') || 'none'}\n`);
});
