/** The path in front of every path of the server, without a slash at its end: empty unless a proxy adds a prefix. */
export function publicPath({ publicUrl }: { readonly publicUrl: string }): string {
  return new URL(publicUrl).pathname.replace(/\/$/, '');
}
