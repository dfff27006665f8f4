/** The first two letters or digits of a name or an email address, in upper case. Empty when there are none. */
function initialsOf(name: string): string {
  const letters = name.match(/[\p{L}\p{N}]\p{M}*/gu) ?? [];
  return letters.slice(0, 2).join('').toUpperCase();
}

export { initialsOf };
