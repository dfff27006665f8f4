// Loaded before the server: reports at its end whether Node has loaded its code of `fetch`.
process.on('exit', () => {
  const isLoaded = process.moduleLoadList.some(name => name.includes('deps/undici/undici'));
  process.stdout.write(`code of fetch: ${isLoaded ? 'loaded' : 'not loaded'}\n`);
});
