/** The place of one stream in the shared poll. */
export interface Subscription<Reader, News> {
  readonly reader: Reader;
  /** News wait here while the reader is slower than the poll. */
  add(news: News): void;
  /** A poll is over: a waiting `next` returns. */
  wake(): void;
  /** `next` returns undefined from now on; with an error it throws. */
  end(cause?: { readonly error?: unknown }): void;
  /** Whether the time of the stream is over. */
  isOver(): boolean;
  /** The next news; null when a poll has found none; undefined when the stream has ended. */
  next(): Promise<News | null | undefined>;
}

export function createSubscription<Reader, News>(reader: Reader, forMillis: number): Subscription<Reader, News> {
  const endsAtMs = performance.now() + forMillis;
  const waiting: News[] = [];
  let ended: { readonly error?: unknown } | undefined;
  let wake = () => {};
  const isOver = () => performance.now() >= endsAtMs;

  return {
    reader,
    add(news) {
      if (ended === undefined) waiting.push(news);
    },
    wake: () => wake(),
    end(cause = {}) {
      ended ??= cause;
      waiting.length = 0;
      wake();
    },
    isOver,
    async next() {
      if (isOver()) return undefined;
      if (waiting.length === 0 && ended === undefined) {
        await new Promise<void>(resolve => {
          wake = resolve;
        });
      }
      if (ended !== undefined && 'error' in ended) throw ended.error;
      return ended === undefined ? (waiting.shift() ?? null) : undefined;
    },
  };
}
