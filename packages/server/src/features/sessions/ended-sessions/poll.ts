import { setTimeout as pause } from 'node:timers/promises';
import { endedSessionPollMs } from '@tessera/protocol';
import { lazily } from '../../../platform/lazily.ts';
import type { Reader } from './access.ts';
import type { EndedSessions } from './store.ts';
import type { Subscription } from './subscription.ts';

/** The signed feed of newly ended sessions of a project. It is signed once, for all streams. */
export type News<Feed> = () => Promise<Feed>;

interface PollDeps<Feed> {
  read(projectId: string, after?: string): Promise<EndedSessions>;
  sign(projectId: string, found: EndedSessions): Promise<Feed>;
  findProjectsWithNews(asked: readonly { readonly projectId: string; readonly cursor: string }[]): Promise<string[]>;
  /** The readers that may continue. */
  findAllowed<R extends Reader>(readers: readonly R[]): Promise<ReadonlySet<R>>;
}

/** A project with open streams. */
interface Followed<Feed> {
  readonly subscriptions: Set<Subscription<Reader, News<Feed>>>;
  /** The read of the first stream. */
  readonly start: Promise<EndedSessions>;
  /** The snapshot until which the streams have all news; undefined until the first stream has read it. */
  cursor: string | undefined;
}

/**
 * One poll for all streams of the process, while there are any. A statement finds the projects in which sessions have ended,
 * and each of these is read and signed once (docs/contract/decisions.md#revocation-feed).
 */
export function createEndedSessionPoll<Feed>(deps: PollDeps<Feed>) {
  type Stream = Subscription<Reader, News<Feed>>;
  const followed = new Map<string, Followed<Feed>>();
  let isPolling = false;

  const allStreams = () => [...followed.values()].flatMap(({ subscriptions }) => [...subscriptions]);

  async function keepPolling(): Promise<void> {
    isPolling = true;
    while (followed.size > 0) {
      await pause(endedSessionPollMs);
      await poll().catch((error: unknown) => {
        for (const stream of allStreams()) stream.end({ error });
      });
    }
    isPolling = false;
  }

  async function poll(): Promise<void> {
    const asked = [...followed].flatMap(([projectId, { cursor }]) =>
      cursor === undefined ? [] : [{ projectId, cursor }],
    );
    if (asked.length === 0) return;
    const news = new Map<string, News<Feed>>();
    for (const projectId of await deps.findProjectsWithNews(asked)) {
      const found = await readNews(projectId);
      if (found !== undefined) news.set(projectId, found);
    }
    // After the news, so that a reader whose access has ended gets none.
    await endRefusedStreams();
    deliver(news, followed);
  }

  async function readNews(projectId: string): Promise<News<Feed> | undefined> {
    const project = followed.get(projectId);
    if (project?.cursor === undefined) return undefined;
    const found = await deps.read(projectId, project.cursor);
    project.cursor = found.cursor;
    return found.sessionIds.length === 0 ? undefined : lazily(() => deps.sign(projectId, found));
  }

  async function endRefusedStreams(): Promise<void> {
    const streams = allStreams();
    const allowed = await deps.findAllowed(streams.map(({ reader }) => reader));
    for (const stream of streams) {
      if (stream.isOver() || !allowed.has(stream.reader)) stream.end();
    }
  }

  function open(projectId: string): Followed<Feed> {
    const project: Followed<Feed> = { subscriptions: new Set(), start: deps.read(projectId), cursor: undefined };
    project.start.then(
      ({ cursor }) => {
        project.cursor = cursor;
      },
      () => undefined,
    );
    followed.set(projectId, project);
    return project;
  }

  return {
    /** @returns all ended sessions; the stream gets what follows them */
    async join(stream: Stream): Promise<EndedSessions> {
      const { id } = stream.reader.project;
      const running = followed.get(id);
      const project = running ?? open(id);
      project.subscriptions.add(stream);
      if (!isPolling) void keepPolling();
      const start = await project.start;
      // A read of its own begins after the snapshot from which the poll continues, so nothing is missing between them.
      return running === undefined ? start : deps.read(id);
    },

    leave(stream: Stream): void {
      const { id } = stream.reader.project;
      const project = followed.get(id);
      project?.subscriptions.delete(stream);
      if (project?.subscriptions.size === 0) followed.delete(id);
    },
  };
}

/** Gives each stream the news of its project, and lets it write what it has. */
function deliver<Feed>(
  news: ReadonlyMap<string, News<Feed>>,
  followed: ReadonlyMap<string, Pick<Followed<Feed>, 'subscriptions'>>,
): void {
  for (const [projectId, { subscriptions }] of followed) {
    const found = news.get(projectId);
    for (const stream of subscriptions) {
      if (found !== undefined) stream.add(found);
      stream.wake();
    }
  }
}
