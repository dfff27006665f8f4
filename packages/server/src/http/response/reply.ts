/** Names and values of headers in turn: a list costs a tenth of an object with as many keys. */
export type HeaderLines = readonly string[];

/** A response with all its headers, whose names are lower-case. */
export interface Reply {
  readonly status: number;
  /** Headers that many replies share; none of them is in `headers`. */
  readonly common?: HeaderLines;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
}

/** The reply to a HEAD request: that of GET without its body. A body that is generated ends. */
export async function withoutBody(reply: Reply): Promise<Reply> {
  if (reply.body instanceof ReadableStream) await reply.body.cancel();
  return { ...reply, body: null };
}

export function linesOf(headers: Readonly<Record<string, string>>): HeaderLines {
  return Object.entries(headers).flat();
}

/** The common headers that a reply does not replace with its own. */
export function withoutReplaced(common: HeaderLines, own: Reply['headers']): HeaderLines {
  return common.filter((_, index) => !Object.hasOwn(own, common[index - (index % 2)] ?? ''));
}
