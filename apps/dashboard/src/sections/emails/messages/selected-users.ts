import { useLocation } from '@tanstack/react-router';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The users who were selected in the list of users, to write to them. Hundreds of ids are too long for an address. */
    messageUserIds?: readonly string[];
  }
}

/** The users who were selected in the list of users. They survive a reload. */
export function useSelectedUsers(): readonly string[] {
  return useLocation({ select: ({ state }) => state.messageUserIds }) ?? [];
}
