/** The shortest limit of all supported systems: macOS has 103 bytes and the closing zero. */
const socketPathMaxBytes = 103;

/** Whether a path can be the address of a Unix socket. */
export function fitsSocketPath(path: string): boolean {
  return Buffer.byteLength(path) <= socketPathMaxBytes;
}
