/** What was opened is closed in reverse order. */
export function createCleanup() {
  const steps = [];
  return {
    /** Returns `thing`, which `end` closes later. */
    register(thing, end) {
      steps.push(() => end(thing));
      return thing;
    },
    async close() {
      for (const step of steps.splice(0).reverse()) await step();
    },
  };
}
