import { type KeyboardEvent, type ReactNode, useState } from 'react';
import { classNames } from '../class-names.ts';
import { ArrowBigUp, Eye, EyeOff } from '../icons.tsx';
import { Input, type InputProps } from './input.tsx';

type PasswordInputProps = Omit<InputProps, 'type' | 'disabled' | 'className' | 'onKeyDown' | 'onKeyUp' | 'onBlur'> & {
  /** The name of the button while the password is hidden. */
  showLabel: string;
  /** The name of the button while the password is visible. */
  hideLabel: string;
  /** Shown below the control while caps lock is on. Without it there is no hint. */
  capsLockHint?: ReactNode;
};

/** A password input with a button that shows the password. Props belong to the input. */
function PasswordInput({ showLabel, hideLabel, capsLockHint, ...rest }: PasswordInputProps) {
  const [isShown, setShown] = useState(false);
  const [hasCapsLock, setCapsLock] = useState(false);

  function readCapsLock(event: KeyboardEvent) {
    setCapsLock(event.getModifierState('CapsLock'));
  }

  return (
    <div className="tessera-password-input tss:grid tss:gap-1.5">
      {/* The button is at the end of the text, also on a page from right to left. */}
      <div dir="ltr" className="tss:relative">
        <Input
          // Visible text must not be sent to a spelling service.
          spellCheck={false}
          autoCapitalize="none"
          autoCorrect="off"
          {...rest}
          type={isShown ? 'text' : 'password'}
          className="tss:pe-12"
          onKeyDown={readCapsLock}
          onKeyUp={readCapsLock}
          onBlur={() => setCapsLock(false)}
        />
        <button
          type="button"
          aria-label={isShown ? hideLabel : showLabel}
          className={classNames(
            'tessera-password-toggle tss:absolute tss:inset-y-0 tss:end-0 tss:grid tss:w-11 tss:place-items-center',
            'tss:cursor-pointer tss:rounded-md tss:text-muted-foreground tss:hover:text-card-foreground',
            // Inside, because an outer ring would overlap the ring of the input.
            'tss:focus-visible:-outline-offset-4',
          )}
          // Keeps focus and caret in the input.
          onMouseDown={event => event.preventDefault()}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? <EyeOff className="tss:size-5" /> : <Eye className="tss:size-5" />}
        </button>
      </div>
      {capsLockHint && (
        <p role="status" className="tessera-caps-lock-hint tss:text-sm tss:text-muted-foreground">
          {hasCapsLock && (
            <span className="tss:flex tss:items-center tss:gap-1.5">
              <ArrowBigUp className="tss:size-4 tss:shrink-0" />
              {capsLockHint}
            </span>
          )}
        </p>
      )}
    </div>
  );
}

export { PasswordInput, type PasswordInputProps };
