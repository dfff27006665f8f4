import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';

/** A component in a file of its own, loaded when it is first shown. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: (props: Props) => ReactNode,
): ComponentType<Props> {
  const Part = lazy(async () => ({ default: (await loadPatiently(load)) as ComponentType<object> }));

  // biome-ignore lint/correctness/noComponentHookFactories: called at module level only, so each part is made once
  return function LazyPart(props: Props) {
    return (
      <Suspense fallback={fallback(props)}>
        <Part {...props} />
      </Suspense>
    );
  };
}

/** A file may be missed on a bad line; React would remember that for ever. Waits in milliseconds. */
const retryDelaysMs = [500, 2000];

async function loadPatiently<Loaded>(load: () => Promise<Loaded>, delays = retryDelaysMs): Promise<Loaded> {
  const [delay, ...later] = delays;
  try {
    return await load();
  } catch (error) {
    // What import() rejects with differs from browser to browser.
    if (delay === undefined) throw error;
    await new Promise(resolve => setTimeout(resolve, delay));
    return loadPatiently(load, later);
  }
}
