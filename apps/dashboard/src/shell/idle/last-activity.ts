const key = 'tessera-dashboard-active-at';
/** Movements within this time are one activity. */
const stepMs = 5_000;

const activityEvents = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const;

/** The latest activity in all tabs of the dashboard. */
export interface LastActivity {
  at(): number;
  /** Records activity now. */
  touch(): void;
  /** Records the activity of the user in this tab, while `isFollowed` returns true. @returns the undo */
  follow(isFollowed: () => boolean): () => void;
}

/** Keeps the time in a store that all tabs share. Where the browser blocks it, each tab counts alone. */
export function createLastActivity(now: () => number, store: () => Pick<Storage, 'getItem' | 'setItem'>): LastActivity {
  let own = now();

  function at(): number {
    try {
      return Math.max(own, Number(store().getItem(key) ?? 0));
    } catch {
      // Storage is blocked.
      return own;
    }
  }

  function touch(): void {
    own = now();
    try {
      store().setItem(key, String(own));
    } catch {
      // Storage is blocked or full: this tab counts alone.
    }
  }

  return {
    at,
    touch,
    follow(isFollowed) {
      const note = () => {
        if (isFollowed() && now() - own >= stepMs) touch();
      };
      for (const name of activityEvents) window.addEventListener(name, note, { passive: true });
      return () => {
        for (const name of activityEvents) window.removeEventListener(name, note);
      };
    },
  };
}
