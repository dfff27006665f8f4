import { Button, FormSummary } from '@tessera/ui';
import { type ReactNode, useRef, useState } from 'react';
import { useAttempt } from '../../../form/use-attempt.tsx';
import { lazyPart } from '../../../lazy/lazy-part.tsx';
import { useTranslate } from '../../../words/translate.tsx';

const CropDialog = lazyPart(
  () => import('../../../lazy/settings-dialogs.ts').then(module => module.CropDialog),
  () => null,
);

interface ImageEditorProps {
  /** The current image. */
  picture: ReactNode;
  /** Receives the new image as a data URL. */
  save: (dataUrl: string) => Promise<void>;
  remove?: (() => Promise<void>) | undefined;
}

/** An image with buttons to choose, crop and remove it. */
export function ImageEditor({ picture, save, remove }: ImageEditorProps) {
  const translate = useTranslate();
  const input = useRef<HTMLInputElement>(null);
  const { attempt, failure } = useAttempt();
  const [chosen, setChosen] = useState<string>();
  const [isInvalid, setInvalid] = useState(false);

  async function choose(file: File | undefined) {
    if (file === undefined) return;
    const dataUrl = file.type.startsWith('image/') ? await readDataUrl(file) : undefined;
    const isPicture = dataUrl !== undefined && (await canBeShown(dataUrl));
    setInvalid(!isPicture);
    setChosen(isPicture ? dataUrl : undefined);
  }

  return (
    <div className="tss:grid tss:w-full tss:gap-3">
      <div className="tss:flex tss:flex-wrap tss:items-center tss:gap-4">
        {picture}
        <Button variant="secondary" onClick={() => input.current?.click()}>
          {translate('image.choose')}
        </Button>
        {remove && (
          <Button variant="quiet" onClick={async () => void (await attempt(remove))}>
            {translate('image.remove')}
          </Button>
        )}
        <input
          ref={input}
          type="file"
          accept="image/*"
          hidden
          aria-label={translate('image.choose')}
          className="tss:hidden"
          onChange={event => {
            void choose(event.target.files?.[0]);
            // So that the same file can be chosen again.
            event.target.value = '';
          }}
        />
      </div>
      {isInvalid && <FormSummary title={translate('image.invalid')} />}
      {failure}
      {chosen && <CropDialog src={chosen} save={save} close={() => setChosen(undefined)} />}
    </div>
  );
}

/** Not an object URL: content security policies that allow `data:` images often refuse `blob:`. */
function readDataUrl(file: File): Promise<string | undefined> {
  return new Promise(resolve => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result : undefined);
    reader.onerror = () => resolve(undefined);
    reader.readAsDataURL(file);
  });
}

function canBeShown(src: string): Promise<boolean> {
  const image = new Image();
  image.src = src;
  return image.decode().then(
    () => image.naturalWidth > 0,
    () => false,
  );
}
