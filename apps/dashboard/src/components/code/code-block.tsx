import { CopyButton } from './copy-button.tsx';

interface CodeBlockProps {
  /** The name of the file. */
  readonly title: string;
  readonly code: string;
  readonly copyLabel: string;
}

/** Code to copy. It can be scrolled by keyboard. */
export function CodeBlock({ title, code, copyLabel }: CodeBlockProps) {
  return (
    <figure className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:overflow-hidden tss:rounded-md tss:border tss:border-border">
      <figcaption className="tss:flex tss:items-center tss:justify-between tss:border-b tss:border-border tss:bg-muted tss:ps-3 tss:pe-1 tss:font-mono tss:text-xs">
        {title}
        <CopyButton text={code} label={copyLabel} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable area must be reachable by keyboard */}
      <pre tabIndex={0} className="tss:max-h-160 tss:overflow-auto tss:p-3 tss:font-mono tss:text-xs">
        <code>{code}</code>
      </pre>
    </figure>
  );
}
