import { DropdownMenuItem, DropdownMenuLabel, RotateCw } from '@tessera/ui';
import { type ReactNode, useId } from 'react';
import type { ReadState } from '../../hooks/reader.ts';
import { errorWords } from '../../words/error-words.ts';
import { useTranslate } from '../../words/translate.tsx';

/** In a menu: why its content could not be loaded, and a retry. */
export function FailedItems({ error, retry }: Pick<ReadState<unknown>, 'error' | 'retry'>) {
  const translate = useTranslate();
  const id = useId();

  return (
    <>
      {/* A menu may contain no alert: screen readers say the reason at the item. */}
      <DropdownMenuLabel id={id}>
        {translate('settings.failed')} {errorWords(error, translate)}
      </DropdownMenuLabel>
      <MenuItem icon={<RotateCw />} onSelect={retry} aria-describedby={id}>
        {translate('action.retry')}
      </MenuItem>
    </>
  );
}

interface MenuItemProps {
  icon: ReactNode;
  onSelect: () => void | Promise<void>;
  'aria-describedby'?: string;
  children: ReactNode;
}

/** The menu is closed when an action fails, so the failure is shown in a browser alert. */
export function MenuItem({ icon, onSelect, children, ...item }: MenuItemProps) {
  const translate = useTranslate();

  async function attempt() {
    try {
      await onSelect();
    } catch (error) {
      window.alert(errorWords(error, translate));
    }
  }

  return (
    <DropdownMenuItem {...item} onSelect={() => void attempt()}>
      {icon}
      {children}
    </DropdownMenuItem>
  );
}
