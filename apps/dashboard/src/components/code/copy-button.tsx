import { Button, type ButtonProps } from '@tessera/ui';
import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { copyText } from '../../data/clipboard.ts';
import { words } from '../../words.ts';

type CopyButtonProps = Omit<ButtonProps, 'children' | 'onClick'> & {
  readonly text: string;
  /** What is copied, for screen readers: "Copy the user id". */
  readonly label: string;
  /** Shows the label beside the icon. */
  readonly showsLabel?: boolean;
};

const confirmedMs = 2000;

/** Copies a text, and confirms it. */
export function CopyButton({ text, label, showsLabel = false, ...rest }: CopyButtonProps) {
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
      aria-label={showsLabel ? undefined : label}
      title={showsLabel ? undefined : label}
      onClick={async () => setCopied(await copyText(text))}
      {...rest}
    >
      {isCopied ? <Check aria-hidden size={16} /> : <Copy aria-hidden size={16} />}
      {showsLabel && label}
      <span role="status" className="tss:sr-only">
        {isCopied ? words.action.copied : ''}
      </span>
    </Button>
  );
}
