/** What a newer version of this server wrote, or one with another secret: this process cannot read it, another one can. */
export class WrittenByNewerVersion extends Error {
  override readonly name = 'WrittenByNewerVersion';
}
