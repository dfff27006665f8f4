import { Command, useCommandState } from 'cmdk';
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { words } from './palette-words.ts';
import type { TypedKeys } from './typed-keys.ts';

interface PaletteInputProps {
  /** What was typed before the field had the focus; undefined from then on. */
  readonly typed: RefObject<TypedKeys | undefined>;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** The field of the palette. It tells screen readers the selected command, which Enter runs. */
export function PaletteInput({ typed, text, onChange }: PaletteInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const selected = useCommandState(({ value }) => value);
  const [selectedId, setSelectedId] = useState<string>();

  // After the dialog opened, which moves the focus to its first element. The field takes the focus when it shows all that was
  // typed before, so that no key comes between.
  useEffect(() => {
    const [field, before] = [input.current, typed.current];
    if (field === null || before === undefined) return;
    if (before.text !== text) return onChange(before.text);
    typed.current = undefined;
    field.focus();
    field.setSelectionRange(text.length, text.length);
    pressLater(field, before.commands);
  }, [typed, text, onChange]);

  // cmdk looks for the selected command before it has marked it, so it finds none until an arrow key is pressed.
  useLayoutEffect(() => {
    const palette = input.current?.closest('[cmdk-root]');
    const marked = selected === '' ? undefined : palette?.querySelector('[cmdk-item][aria-selected="true"]');
    setSelectedId(marked?.id);
  }, [selected]);

  return (
    <Command.Input asChild value={text} onValueChange={onChange} placeholder={words.placeholder}>
      <input
        ref={input}
        aria-activedescendant={selectedId}
        className="tessera-input tss:min-h-11 tss:w-full tss:rounded-md tss:border tss:border-input tss:bg-card tss:px-3 tss:text-base"
      />
    </Command.Input>
  );
}

/** Presses keys after cmdk has selected the first match of the text, which takes it another render. */
function pressLater(field: HTMLInputElement, keys: readonly string[]): void {
  if (keys.length === 0) return;
  const press = () => {
    for (const key of keys) field.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
  };
  requestAnimationFrame(() => requestAnimationFrame(press));
}
