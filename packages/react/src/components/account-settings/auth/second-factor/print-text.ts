/** Prints a text on a page of its own, without the page of the host app. */
export function printText(title: string, text: string): void {
  const frame = Object.assign(document.createElement('iframe'), { title });
  frame.style.cssText = 'position:fixed;inset:auto 0 0 auto;width:0;height:0;border:0';
  document.body.append(frame);
  const { contentDocument, contentWindow } = frame;
  if (contentDocument === null || contentWindow === null) {
    frame.remove();
    return;
  }
  contentDocument.title = title;
  const heading = Object.assign(contentDocument.createElement('h1'), { textContent: title });
  const lines = Object.assign(contentDocument.createElement('pre'), { textContent: text });
  contentDocument.body.append(heading, lines);
  contentWindow.addEventListener('afterprint', () => frame.remove(), { once: true });
  contentWindow.print();
}
