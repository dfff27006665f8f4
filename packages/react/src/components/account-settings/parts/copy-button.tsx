import { Button } from '@tessera/ui';
import { useState } from 'react';
import { useTranslate } from '../../../words/translate.tsx';

/** Copies a text. The text is shown beside it, so that it can be selected where the browser refuses to copy. */
export function CopyButton({ text }: { text: string }) {
  const translate = useTranslate();
  const [wasCopied, setCopied] = useState(false);

  async function copy() {
    // The clipboard is missing in insecure contexts, and visitors can refuse it.
    const isDone = navigator.clipboard?.writeText(text).then(
      () => true,
      () => false,
    );
    setCopied((await isDone) ?? false);
  }

  return (
    <>
      <Button variant="secondary" onClick={copy}>
        {translate(wasCopied ? 'action.copied' : 'action.copy')}
      </Button>
      {/* Not inside the button: Chromium leaves a status out of its name. */}
      <span role="status" className="tss:sr-only">
        {wasCopied && translate('action.copied')}
      </span>
    </>
  );
}
