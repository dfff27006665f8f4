/** Whether this is a Cloudflare Worker (docs/contract/client-runtime.md#request-pipeline). */
export function isCloudflareWorker(): boolean {
  return 'WebSocketPair' in globalThis;
}
