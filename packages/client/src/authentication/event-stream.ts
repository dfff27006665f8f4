/**
 * The data of server-sent events as JSON, as they arrive; undefined for a comment. Our server writes each event as one
 * `data` line. https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export async function* eventsOf({ body }: Response): AsyncGenerator<unknown> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      const blocks = (rest + chunk.value).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) yield block.startsWith('data: ') ? JSON.parse(block.slice(6)) : undefined;
    }
  } finally {
    await reader.cancel();
  }
}
