import { Button } from '@tessera/ui';
import { useState } from 'react';
import { useTranslate } from '../../words/translate.tsx';

/** Copies a text. The text itself stands beside it, to be selected where browsers refuse. */
export function CopyButton({ text }: { text: string }) {
  const translate = useTranslate();
  const [wasCopied, setCopied] = useState(false);

  async function copy() {
    // There is no clipboard on pages without https, and visitors may refuse it.
    const isDone = navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setCopied((await isDone) ?? false);
  }

  return (
    <Button variant="outline" onClick={copy}>
      <span role="status">{translate(wasCopied ? 'action.copied' : 'action.copy')}</span>
    </Button>
  );
}
