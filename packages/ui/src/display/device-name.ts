/** "Chrome 143 · macOS 15.1"; undefined when nothing is known. */
export function deviceName({ browser, system }: { browser: string | null; system: string | null }): string | undefined {
  const known = [browser, system].filter(part => part !== null);
  return known.length === 0 ? undefined : known.join(' · ');
}
