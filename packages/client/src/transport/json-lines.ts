/** The lines of a body with text, as they arrive. Leaving the loop cancels the request. */
export async function* linesOf({ body }: Response): AsyncGenerator<string> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      const lines = (rest + chunk.value).split('\n');
      rest = lines.pop() ?? '';
      yield* lines.filter(line => line !== '');
    }
    if (rest !== '') yield rest;
  } finally {
    await reader.cancel();
  }
}
