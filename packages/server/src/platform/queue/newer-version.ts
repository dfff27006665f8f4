/** The value was written by a newer version or with another secret: another process can read it, this one cannot. */
export class WrittenByNewerVersion extends Error {
  override readonly name = 'WrittenByNewerVersion';
}
