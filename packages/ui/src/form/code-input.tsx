import { type ClipboardEvent, forwardRef, useEffect, useImperativeHandle, useRef, useState } from 'react';
import { classNames } from '../class-names.ts';
import { useFieldControl } from './field-context.ts';

type CodeInputProps = {
  /** Number of characters of the code. Default 6. */
  length?: number;
  /** Digits only, or letters and digits, which become upper case. */
  kind: 'digits' | 'letters';
  value: string;
  onChange: (value: string) => void;
  /** The value cannot be changed; the focus stays. */
  readOnly?: boolean;
};

/**
 * The boxes of a one-time code. For screen readers, password managers and phones it is one input. It accepts typed and
 * pasted codes with spaces and dashes. A code that is pasted elsewhere on the page is accepted too.
 */
const CodeInput = forwardRef<HTMLInputElement, CodeInputProps>(function CodeInput(
  { length = 6, kind, value, onChange, readOnly = false },
  ref,
) {
  const input = useRef<HTMLInputElement>(null);
  const [hasFocus, setFocus] = useState(false);
  useImperativeHandle(ref, () => input.current as HTMLInputElement);

  function take(text: string): boolean {
    // In a sentence, such as the subject of the email, the code is a word in upper case.
    const word = new RegExp(`\\b[A-Z\\d]{${length}}\\b`).exec(text)?.[0] ?? text;
    const code = codeIn(word, kind).slice(0, length);
    if (readOnly || !code) return false;
    onChange(code);
    input.current?.focus();
    return true;
  }

  useEffect(() => {
    function pasteAnywhere(event: globalThis.ClipboardEvent) {
      if (event.defaultPrevented || isEditable(event.target)) return;
      const text = event.clipboardData?.getData('text') ?? '';
      if (codeIn(text, kind).length === length && take(text)) event.preventDefault();
    }
    document.addEventListener('paste', pasteAnywhere);
    return () => document.removeEventListener('paste', pasteAnywhere);
  });

  function paste(event: ClipboardEvent) {
    event.preventDefault();
    take(event.clipboardData.getData('text'));
  }

  const control = useFieldControl();

  return (
    <div dir="ltr" className="tessera-code-input tss:relative">
      <div aria-hidden className="tss:flex tss:gap-2">
        {Array.from({ length }, (_, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: a box is identified by its position
            key={index}
            className={classNames(
              'tessera-code-box tss:grid tss:h-13 tss:min-w-0 tss:flex-1 tss:place-items-center tss:font-mono tss:text-xl',
              'tss:rounded-md tss:border tss:bg-card tss:text-card-foreground',
              control['aria-invalid'] ? 'tss:border-destructive' : 'tss:border-input',
              readOnly && 'tss:bg-muted tss:text-muted-foreground',
              hasFocus &&
                index === Math.min(value.length, length - 1) &&
                'tss:outline-2 tss:outline-offset-1 tss:outline-ring',
            )}
          >
            {value[index]}
          </span>
        ))}
      </div>
      <input
        ref={input}
        inputMode={kind === 'digits' ? 'numeric' : 'text'}
        autoComplete="one-time-code"
        autoCapitalize="characters"
        autoCorrect="off"
        spellCheck={false}
        readOnly={readOnly}
        value={value}
        aria-required
        // Transparent, above the boxes that show its value. 16 pixels, because iOS zooms into smaller controls.
        className="tessera-code-control tss:absolute tss:inset-0 tss:size-full tss:text-base tss:opacity-0"
        onChange={event => onChange(codeIn(event.target.value, kind).slice(0, length))}
        onPaste={paste}
        // Typed characters are appended, wherever the user clicks.
        onSelect={({ currentTarget }) => {
          const { selectionStart, selectionEnd } = currentTarget;
          if (selectionStart === selectionEnd && selectionEnd !== value.length)
            currentTarget.setSelectionRange(length, length);
        }}
        onFocus={() => setFocus(true)}
        onBlur={() => setFocus(false)}
        {...control}
      />
    </div>
  );
});

/** The characters of a code in typed or pasted text. Keyboards may type Arabic or Persian digits. */
function codeIn(text: string, kind: CodeInputProps['kind']): string {
  return text
    .replace(/[٠-٩۰-۹]/g, digit => `${digit.charCodeAt(0) & 15}`)
    .replace(kind === 'digits' ? /\D/g : /[\W_]/g, '')
    .toUpperCase();
}

function isEditable(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'));
}

export { CodeInput, type CodeInputProps };
