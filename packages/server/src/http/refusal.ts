interface RefusalOptions {
  /** Headers of the answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** A stable name for the event of the audit log, because the sentence may change. It is not sent. */
  readonly auditCause?: string;
}

/** An expected refusal without a code: a status and a sentence (a "text error" of docs/contract/envelope.md). */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly headers: Readonly<Record<string, string>>;
  readonly auditCause: string | undefined;

  constructor(
    readonly status: number,
    sentence: string,
    { headers = {}, auditCause }: RefusalOptions = {},
  ) {
    super(sentence);
    this.headers = headers;
    this.auditCause = auditCause;
  }
}

/** An error with the headers of its answer. */
export class ErrorWithHeaders extends Error {
  override readonly name = 'ErrorWithHeaders';

  constructor(
    override readonly cause: unknown,
    readonly headers: Readonly<Record<string, string>>,
  ) {
    super('an error whose answer has headers of its own', { cause });
  }
}

/** Refuses with a plain sentence. @throws Refusal always */
export function refuse(status: number, sentence: string, options?: RefusalOptions): never {
  throw new Refusal(status, sentence, options);
}

/** Marks a state that cannot occur: a 500 with details in the log only. @throws always */
export function unreachable(what: string): never {
  throw new Error(`unreachable: ${what}`);
}
