import type { LaneRoom } from './lane-flags.ts';
import { isProjectFlag } from './lane-paces.ts';
import type { ClaimedJob } from './lane-store.ts';

/** Claims jobs within a room. @returns their number */
type ClaimWithBacklogs = (room: LaneRoom, claim: ClaimWithin) => Promise<number>;
type ClaimWithin = (room: LaneRoom) => Promise<readonly Pick<ClaimedJob, 'flags'>[]>;

/** The claims behind a backlog read past all jobs that wait there. They take a tenth of the time at most. */
const pauseFactor = 9;

/**
 * A claim sees only as many jobs as may start, and all of them may be of one flag that has room for some: those of other
 * flags would wait behind the whole backlog of that flag. So the jobs behind it are claimed too.
 *
 * @param perFlag the room of a flag that is not in the room of a claim
 */
export function createBacklogClaims(perFlag: number): ClaimWithBacklogs {
  let nextAtMs = Number.NEGATIVE_INFINITY;

  async function claimBehind(first: LaneRoom, claim: ClaimWithin): Promise<number> {
    const startedAtMs = performance.now();
    let claimed = 0;
    for (let room: LaneRoom | undefined = first; room !== undefined; ) {
      const jobs = await claim(room);
      claimed += jobs.length;
      room = roomBehind(room, jobs, perFlag);
    }
    nextAtMs = performance.now() + pauseFactor * (performance.now() - startedAtMs);
    return claimed;
  }

  return async (room, claim) => {
    const jobs = await claim(room);
    const behind = roomBehind(room, jobs, perFlag);
    if (behind === undefined || performance.now() < nextAtMs) return jobs.length;
    return jobs.length + (await claimBehind(behind, claim));
  };
}

/**
 * The room for the jobs behind those that a claim has left in the queue; undefined when it took all that it saw, or when
 * no place is left. Places that became free during the claim are not in it: the backlog would take them first.
 */
function roomBehind(
  { limit, room, quickFlags, slowRoom }: LaneRoom,
  claimed: readonly Pick<ClaimedJob, 'flags'>[],
  perFlag: number,
): LaneRoom | undefined {
  const left = new Map(room);
  for (const flag of claimed.flatMap(({ flags }) => flags)) left.set(flag, (left.get(flag) ?? perFlag) - 1);
  const quick = new Set(quickFlags);
  const slow = claimed.filter(
    ({ flags }) => !flags.every(isProjectFlag) && !flags.some(flag => quick.has(flag)),
  ).length;
  const isFlagUsedUp = claimed.some(({ flags }) => flags.some(flag => (left.get(flag) ?? 0) <= 0));
  const isSlowRoomUsedUp = slow > 0 && slow >= slowRoom;
  if (claimed.length >= limit || !(isFlagUsedUp || isSlowRoomUsedUp)) return undefined;
  return { limit: limit - claimed.length, room: left, quickFlags, slowRoom: Math.max(0, slowRoom - slow) };
}
