import { Command, useCommandState } from 'cmdk';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { words } from './palette-words.ts';

interface PaletteInputProps {
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/** The field of the palette. It tells screen readers the selected command, which Enter runs. */
export function PaletteInput({ text, onChange }: PaletteInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const selected = useCommandState(({ value }) => value);
  const [selectedId, setSelectedId] = useState<string>();

  // After the dialog opened, which moves the focus to its first element.
  useEffect(() => input.current?.focus(), []);

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
