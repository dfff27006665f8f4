import { Skeleton } from '@tessera/ui';
import { lazy, Suspense } from 'react';
import type { JsonEditorProps } from './json-code-mirror.tsx';
import { words } from './words.ts';

const CodeMirror = lazy(() => import('./json-code-mirror.tsx'));

/** The sentence about text that is not JSON; undefined for valid JSON. An empty text means null. */
export function jsonProblem(text: string): string | undefined {
  if (text.trim() === '') return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return `${words.json.invalid}: ${error.message}`;
  }
}

/** An editor for JSON with colors, brackets and a mark at the first mistake. Its code is loaded when it is shown. */
export function JsonEditor(props: JsonEditorProps) {
  return (
    <Suspense fallback={<Skeleton className="tss:h-40" />}>
      <CodeMirror {...props} />
    </Suspense>
  );
}
