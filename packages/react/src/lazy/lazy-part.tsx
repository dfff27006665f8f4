import { type ComponentType, type ReactNode, Suspense, useSyncExternalStore } from 'react';
import { createOwnReader, type OwnReader } from '../hooks/own-reader.ts';
import { useReader } from '../hooks/reader.ts';

/** A component in a chunk of its own, loaded when it is first shown. On a server its fallback is rendered. */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  fallback: (props: Props) => ReactNode,
): (props: Props) => ReactNode {
  const reader = createOwnReader(() => loadPatiently(load));

  // biome-ignore lint/correctness/noComponentHookFactories: called at module level only, so each part is created once
  return function LazyPart(props: Props) {
    const isInBrowser = useSyncExternalStore(noUpdates, yes, no);
    return (
      <Suspense fallback={fallback(props)}>
        {isInBrowser ? <LoadedPart reader={reader} props={props} /> : fallback(props)}
      </Suspense>
    );
  };
}

interface LoadedPartProps<Props> {
  reader: OwnReader<ComponentType<Props>>;
  props: Props;
}

/** Not `lazy` of React, which keeps the failure of a chunk: an error boundary can have this one loaded again. */
function LoadedPart<Props extends object>({ reader, props }: LoadedPartProps<Props>) {
  const Part = useReader(reader) as ComponentType<object>;
  return <Part {...props} />;
}

/** False on a server and while its HTML is hydrated. */
const yes = () => true;
const no = () => false;
const noUpdates = () => () => undefined;

/** Loading a chunk may fail on a bad connection. Waits in milliseconds. */
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
