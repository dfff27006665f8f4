import { Actions, Button, type ButtonProps, Checkbox, Dialog } from '@tessera/ui';
import { type ReactNode, useState } from 'react';
import { useAttempt } from '../../../form/use-attempt.tsx';
import { useTranslate } from '../../../words/translate.tsx';

interface ConfirmButtonProps extends Pick<ButtonProps, 'variant' | 'size' | 'disabled' | 'aria-label' | 'title'> {
  /** The text of the button, and of the one that confirms. */
  text: string;
  question: string;
  consequence: ReactNode;
  /** The label of a checkbox that must be ticked first. */
  mustTick?: string;
  act: () => Promise<void>;
}

/** A button for an action that cannot be undone: asks for confirmation, and shows why the action failed. */
export function ConfirmButton({ text, question, consequence, mustTick, act, ...button }: ConfirmButtonProps) {
  const [isOpen, setOpen] = useState(false);

  return (
    <>
      <Button variant="secondary" {...button} onClick={() => setOpen(true)}>
        {text}
      </Button>
      {isOpen && (
        <Question
          text={text}
          question={question}
          consequence={consequence}
          mustTick={mustTick}
          act={act}
          close={() => setOpen(false)}
        />
      )}
    </>
  );
}

type QuestionProps = Pick<ConfirmButtonProps, 'text' | 'question' | 'consequence' | 'act'> & {
  mustTick: string | undefined;
  close: () => void;
};

/** The dialog of an action that cannot be undone. */
export function Question({ text, question, consequence, mustTick, act, close }: QuestionProps) {
  const translate = useTranslate();
  const { attempt, failure } = useAttempt();
  const [isTicked, setTicked] = useState(mustTick === undefined);

  async function confirm() {
    if (await attempt(act)) close();
  }

  return (
    <Dialog title={question} onClose={close}>
      <p className="tss:text-pretty tss:wrap-anywhere tss:text-muted-foreground">{consequence}</p>
      {mustTick && <Checkbox label={mustTick} checked={isTicked} onChange={event => setTicked(event.target.checked)} />}
      {failure}
      <Actions>
        <Button variant="secondary" className="tss:flex-auto" onClick={close}>
          {translate('action.cancel')}
        </Button>
        <Button variant="destructive" className="tss:flex-auto" disabled={!isTicked} onClick={confirm}>
          {text}
        </Button>
      </Actions>
    </Dialog>
  );
}
