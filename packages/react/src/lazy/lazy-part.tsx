import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';

/** A component in a chunk of its own, loaded when it is first shown. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: (props: Props) => ReactNode,
): ComponentType<Props> {
  const Part = lazy(async () => ({ default: (await loadPatiently(load)) as ComponentType<object> }));

  // biome-ignore lint/correctness/noComponentHookFactories: called at module level only, so each part is created once
  return function LazyPart(props: Props) {
    return (
      <Suspense fallback={fallback(props)}>
        <Part {...props} />
      </Suspense>
    );
  };
}

/** Loading a chunk may fail on a bad connection, and React would keep that failure. Waits in milliseconds. */
const retryDelaysMs = [500, 2000];

async function loadPatiently<Loaded>(load: () => Promise<Loaded>, delays = retryDelaysMs): Promise<Loaded> {
  const [delay, ...later] = delays;
  try {
    return await load();
  } catch (error) {
    // The rejection of import() differs between browsers.
    if (delay === undefined) throw error;
    await new Promise(resolve => setTimeout(resolve, delay));
    return loadPatiently(load, later);
  }
}
