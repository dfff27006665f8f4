import { Actions, Button, Dialog, FormSummary } from '@tessera/ui';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { useAttempt } from '../../../form/use-attempt.tsx';
import { useTranslate } from '../../../words/translate.tsx';
import { middle, moveView, placeOf, type Size, zoomRange } from './crop.ts';
import { cutOut } from './cut-out.ts';

interface CropDialogProps {
  /** Data URL of the image. */
  src: string;
  save: (dataUrl: string) => Promise<void>;
  close: () => void;
}

/** Width and height of the crop window, in pixels. */
const windowSide = 256;
const arrowStep = 0.05;

/** Crops an image to a square, by pointer or by keyboard. */
export function CropDialog({ src, save, close }: CropDialogProps) {
  const translate = useTranslate();
  const image = useRef<HTMLImageElement>(null);
  const { attempt, failure } = useAttempt();
  const [size, setSize] = useState<Size>();
  const [view, setView] = useState(middle);
  const [hasFailed, setFailed] = useState(false);
  const zoomId = useId();

  async function cut() {
    const dataUrl = image.current && cutOut(image.current, view);
    setFailed(dataUrl === null);
    if (dataUrl && (await attempt(() => save(dataUrl)))) close();
  }

  const move = (x: number, y: number) => size && setView(now => moveView(now, { x, y }, size));

  return (
    <Dialog title={translate('image.crop')} onClose={close}>
      <CropWindow move={move}>
        {/* biome-ignore lint/performance/noImgElement: the source is a file that the person has just chosen, which no image loader of a framework can fetch */}
        <img
          ref={image}
          src={src}
          alt=""
          draggable={false}
          className="tss:absolute tss:max-w-none tss:select-none"
          style={size && placeOf(view, size, windowSide)}
          onLoad={({ currentTarget }) =>
            setSize({ width: currentTarget.naturalWidth, height: currentTarget.naturalHeight })
          }
        />
      </CropWindow>
      <div className="tss:grid tss:gap-1.5">
        <label htmlFor={zoomId} className="tss:text-sm tss:font-medium">
          {translate('image.zoom')}
        </label>
        <input
          id={zoomId}
          type="range"
          {...zoomRange}
          value={view.zoom}
          className="tss:h-11 tss:w-full tss:appearance-auto tss:accent-primary"
          onChange={event => {
            const zoom = event.target.valueAsNumber;
            setView(now => ({ ...now, zoom }));
          }}
        />
      </div>
      {hasFailed && <FormSummary title={translate('image.failed')} />}
      {failure}
      <Actions>
        <Button variant="secondary" className="tss:flex-auto" onClick={close}>
          {translate('action.cancel')}
        </Button>
        <Button className="tss:flex-auto" onClick={cut}>
          {translate('action.save')}
        </Button>
      </Actions>
    </Dialog>
  );
}

interface CropWindowProps {
  /** Moves the image by a fraction of the window's width and height. */
  move: (x: number, y: number) => void;
  children: ReactNode;
}

/** The crop window. It takes key presses, because dragging needs a pointer. */
function CropWindow({ move, children }: CropWindowProps) {
  const translate = useTranslate();
  const hintId = useId();

  function followArrow(event: KeyboardEvent) {
    const step = arrows[event.key];
    if (step === undefined) return;
    event.preventDefault();
    move(step[0] * arrowStep, step[1] * arrowStep);
  }

  return (
    <div className="tss:grid tss:justify-items-center tss:gap-2">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset holds fields */}
      <div
        role="group"
        aria-label={translate('image.crop')}
        aria-describedby={hintId}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move the image
        tabIndex={0}
        className="tss:relative tss:cursor-move tss:touch-none tss:overflow-hidden tss:rounded-md tss:bg-muted"
        style={{ width: windowSide, height: windowSide }}
        onKeyDown={followArrow}
        onPointerDown={event => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={event => {
          if (event.currentTarget.hasPointerCapture(event.pointerId)) {
            move(event.movementX / windowSide, event.movementY / windowSide);
          }
        }}
      >
        {children}
        {/* Pictures of people are round. */}
        <div
          aria-hidden
          className="tss:pointer-events-none tss:absolute tss:inset-0 tss:rounded-[50%] tss:outline-[200px] tss:outline-[rgb(0_0_0/0.45)]"
        />
      </div>
      <p id={hintId} className="tss:text-sm tss:text-muted-foreground">
        {translate('image.move')}
      </p>
    </div>
  );
}

/** The direction in which the image moves. */
const arrows: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};
