/** What people see behind an unsubscribe link. The words hold nothing that a caller could have written. */
export function unsubscribePage(words: { title: string; text: string }): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${words.title}</title>
<style>body { font: 16px/1.6 system-ui, sans-serif; max-width: 28rem; margin: 20vh auto; padding: 0 1.5rem }</style>
<h1>${words.title}</h1>
<p>${words.text}</p>
</html>
`;
}
