/** Safari reads the file after the click, and cancels a download whose address is gone. */
const revokeAfterMs = 60_000;

/** Saves a file through the browser. */
function saveFile(name: string, parts: BlobPart[], type: string): void {
  const href = URL.createObjectURL(new Blob(parts, { type }));
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), revokeAfterMs);
}

export { saveFile };
