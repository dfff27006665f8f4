/** A response with all its headers, whose names are lower-case. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
}

/** The reply to a HEAD request: that of GET without its body. A body that is generated ends. */
export async function withoutBody(reply: Reply): Promise<Reply> {
  if (reply.body instanceof ReadableStream) await reply.body.cancel();
  return { ...reply, body: null };
}
