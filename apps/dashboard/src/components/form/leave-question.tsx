import { Button, Dialog } from '@tessera/ui';

interface LeaveQuestionProps {
  readonly words: { readonly title: string; readonly text: string; readonly stay: string; readonly leave: string };
  readonly onStay: () => void;
  readonly onLeave: () => void;
}

/** Asks whether unsaved work is lost. */
export function LeaveQuestion({ words, onStay, onLeave }: LeaveQuestionProps) {
  return (
    <Dialog title={words.title} onClose={onStay}>
      <p className="tss:text-sm tss:text-muted-foreground">{words.text}</p>
      <div className="tss:flex tss:flex-wrap-reverse tss:justify-end tss:gap-3">
        <Button variant="secondary" onClick={onStay}>
          {words.stay}
        </Button>
        <Button variant="destructive" onClick={onLeave}>
          {words.leave}
        </Button>
      </div>
    </Dialog>
  );
}
