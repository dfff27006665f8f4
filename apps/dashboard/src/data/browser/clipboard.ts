/** Copies text. @returns whether it worked; browsers refuse it on insecure pages and without permission */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // An insecure page has no clipboard; the user can still select the text.
    return false;
  }
}
