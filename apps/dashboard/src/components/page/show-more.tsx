import { Button } from '@tessera/ui';

/** A panel shows this many items of a long list at first, and as many more on demand. */
export const panelStep = 20;

interface ShowMoreProps {
  /** How many items are shown, of how many. */
  readonly text: string;
  /** The text of the button. */
  readonly label: string;
  readonly hasMore: boolean;
  readonly onMore: () => void;
}

/** The line below a list that shows its beginning. */
export function ShowMore({ text, label, hasMore, onMore }: ShowMoreProps) {
  return (
    <div className="tss:flex tss:min-h-9 tss:flex-wrap tss:items-center tss:justify-between tss:gap-3 tss:text-xs tss:text-muted-foreground">
      <p role="status">{text}</p>
      {hasMore && (
        <Button variant="quiet" size="sm" onClick={onMore}>
          {label}
        </Button>
      )}
    </div>
  );
}
