/** What was typed into a field that does not have the focus yet. */
export interface TypedKeys {
  readonly text: string;
  /** Keys that choose and run a command, in their order. */
  readonly commands: readonly string[];
}

export const nothingTyped: TypedKeys = { text: '', commands: [] };

const commandKeys: ReadonlySet<string> = new Set(['Enter', 'ArrowDown', 'ArrowUp']);

/** Adds a key. @returns undefined for a key that writes nothing and runs nothing */
export function addKey({ text, commands }: TypedKeys, key: string): TypedKeys | undefined {
  if ([...key].length === 1) return { text: text + key, commands };
  if (key === 'Backspace') return { text: [...text].slice(0, -1).join(''), commands };
  return commandKeys.has(key) ? { text, commands: [...commands, key] } : undefined;
}
