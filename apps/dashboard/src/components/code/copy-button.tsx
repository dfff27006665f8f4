import { Button } from '@tessera/ui';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { copyText } from '../../data/browser/clipboard.ts';
import { words } from '../../words.ts';

interface CopyButtonProps {
  readonly text: string;
  /** What is copied, for screen readers: "Copy the user id". */
  readonly label: string;
}

const confirmedMs = 2000;

/** Copies a text, and confirms it. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false);

  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), confirmedMs);
    return () => clearTimeout(timer);
  }, [isCopied]);

  return (
    <Button
      variant="quiet"
      size="sm"
      aria-label={label}
      title={label}
      onClick={async () => setCopied(await copyText(text))}
    >
      {isCopied ? <Check aria-hidden size={16} /> : <Copy aria-hidden size={16} />}
      <span role="status" className="tss:sr-only">
        {isCopied ? words.action.copied : ''}
      </span>
    </Button>
  );
}
