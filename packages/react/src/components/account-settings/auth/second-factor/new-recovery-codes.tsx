import { Button, Checkbox, Dialog, saveFile } from '@tessera/ui';
import { useState } from 'react';
import { useTranslate } from '../../../../words/translate.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { useLeaveGuard } from '../../parts/use-leave-guard.ts';
import { printText } from './print-text.ts';

interface NewRecoveryCodesProps {
  codes: readonly string[];
  projectName: string;
  close: () => void;
}

/** Shows new recovery codes once. It closes when the user has confirmed that they are saved. */
export function NewRecoveryCodes({ codes, projectName, close }: NewRecoveryCodesProps) {
  const translate = useTranslate();
  const [isSaved, setSaved] = useState(false);
  useLeaveGuard(!isSaved);
  const title = translate('recovery.fileTitle', { name: projectName });
  const text = codes.join('\n');

  return (
    <Dialog title={translate('recovery.newTitle')}>
      <p className="tss:text-pretty tss:text-muted-foreground">{translate('recovery.newText')}</p>
      <ol
        dir="ltr"
        aria-label={translate('recovery.title')}
        className="tss:grid tss:grid-cols-[repeat(auto-fit,minmax(11rem,1fr))] tss:gap-x-4 tss:gap-y-2 tss:rounded-md tss:bg-muted tss:p-4 tss:font-mono"
      >
        {codes.map(code => (
          <li key={code} className="tss:select-all tss:whitespace-nowrap">
            {code}
          </li>
        ))}
      </ol>
      <div className="tss:flex tss:flex-wrap tss:gap-3">
        <CopyButton text={text} />
        <Button
          variant="secondary"
          onClick={() =>
            saveFile(translate('recovery.fileName'), [`${title}\n\n${text}\n`], 'text/plain;charset=utf-8')
          }
        >
          {translate('recovery.download')}
        </Button>
        <Button variant="secondary" onClick={() => printText(title, text)}>
          {translate('recovery.print')}
        </Button>
      </div>
      <Checkbox
        label={translate('recovery.saved')}
        checked={isSaved}
        onChange={event => setSaved(event.target.checked)}
      />
      <Button disabled={!isSaved} onClick={close}>
        {translate('recovery.done')}
      </Button>
    </Dialog>
  );
}
