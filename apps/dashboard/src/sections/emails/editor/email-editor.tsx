import type { EmailPreview } from '@tessera/client';
import { Button } from '@tessera/ui';
import { Redo2, Undo2 } from 'lucide-react';
import { type KeyboardEvent, useState } from 'react';
import { JsonEditor, jsonProblem } from '../../../components/code/json-editor.tsx';
import { useDebounced } from '../../../data/use-debounced.ts';
import { BlockList, unavailable } from './block-list.tsx';
import { type EmailDraft, readBlocks } from './blocks.ts';
import { Preview } from './preview.tsx';
import type { DraftState } from './use-draft.ts';
import { VariableField } from './variable-field.tsx';
import { words } from './words.ts';

const previewPauseMs = 300;

interface EmailEditorProps {
  readonly state: DraftState;
  /** The names of the variables that can be inserted. */
  readonly variables: readonly string[];
  readonly hasColors: boolean;
  readonly isReadOnly?: boolean;
  readonly previewKey: readonly unknown[];
  readonly render: (draft: EmailDraft) => Promise<EmailPreview>;
}

/** Subject and blocks of an email on one side, the rendered email on the other. */
export function EmailEditor({ state, variables, hasColors, isReadOnly = false, previewKey, render }: EmailEditorProps) {
  const { draft, change } = state;
  const debounced = useDebounced(draft, previewPauseMs);
  const [isSource, setSource] = useState(false);
  return (
    <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:items-start tss:gap-6 tss:xl:grid-cols-2">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys of the fields inside */}
      <div
        className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-4"
        onKeyDown={event => followUndoKeys(event, state)}
      >
        <VariableField
          label={words.subject}
          value={draft.subject}
          variables={variables}
          isReadOnly={isReadOnly}
          onChange={subject => change({ ...draft, subject }, 'subject')}
        />
        <div className="tss:flex tss:flex-wrap tss:items-center tss:gap-2">
          <fieldset
            aria-label={words.mode}
            className="tss:m-0 tss:min-w-0 tss:border-0 tss:p-0 tss:flex tss:flex-1 tss:flex-wrap tss:gap-2"
          >
            <ModeButton isOn={!isSource} onClick={() => setSource(false)} label={words.modes.blocks} />
            <ModeButton isOn={isSource} onClick={() => setSource(true)} label={words.modes.source} />
          </fieldset>
          {!isReadOnly && (
            <>
              <Button
                variant="quiet"
                size="icon"
                aria-label={words.undo}
                aria-disabled={!state.canUndo}
                className={unavailable}
                onClick={state.undo}
              >
                <Undo2 aria-hidden size={18} />
              </Button>
              <Button
                variant="quiet"
                size="icon"
                aria-label={words.redo}
                aria-disabled={!state.canRedo}
                className={unavailable}
                onClick={state.redo}
              >
                <Redo2 aria-hidden size={18} />
              </Button>
            </>
          )}
        </div>
        {isSource ? (
          <SourceEditor state={state} isReadOnly={isReadOnly} />
        ) : (
          <BlockList
            content={draft.content}
            variables={variables}
            hasColors={hasColors}
            isReadOnly={isReadOnly}
            onChange={(content, field) => change({ ...draft, content }, field)}
          />
        )}
      </div>
      <div className="tss:xl:sticky tss:xl:top-4">
        <Preview queryKey={[...previewKey, debounced]} load={() => render(debounced)} />
      </div>
    </div>
  );
}

function ModeButton({
  isOn,
  label,
  onClick,
}: {
  readonly isOn: boolean;
  readonly label: string;
  readonly onClick: () => void;
}) {
  return (
    <Button size="sm" variant={isOn ? 'primary' : 'secondary'} aria-pressed={isOn} onClick={onClick}>
      {label}
    </Button>
  );
}

/** Text that is not a valid content stays in the editor and changes nothing. */
function SourceEditor({ state, isReadOnly }: { readonly state: DraftState; readonly isReadOnly: boolean }) {
  const { draft, change } = state;
  const [text, setText] = useState(() => sourceOf(draft));
  const [shown, setShown] = useState(draft.content);
  // Undo or redo, which the text does not know.
  if (draft.content !== shown) {
    setShown(draft.content);
    setText(sourceOf(draft));
  }
  const problem = jsonProblem(text) ?? (parse(text) === undefined ? words.noContent : undefined);
  return (
    <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-2">
      <JsonEditor
        label={words.source}
        value={text}
        isReadOnly={isReadOnly}
        onChange={next => {
          setText(next);
          const content = parse(next);
          if (content === undefined) return;
          setShown(content);
          change({ ...draft, content }, 'source');
        }}
      />
      <p
        className={problem === undefined ? 'tss:text-sm tss:text-muted-foreground' : 'tss:text-sm tss:text-destructive'}
      >
        {problem ?? words.sourceHint}
      </p>
    </div>
  );
}

function sourceOf({ content }: EmailDraft): string {
  return JSON.stringify(content, null, 2);
}

function parse(text: string) {
  try {
    return readBlocks(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** Undo and redo of the whole email; the fields are controlled, so their own undo does not know other changes. */
function followUndoKeys(event: KeyboardEvent, state: DraftState) {
  if (!(event.ctrlKey || event.metaKey) || !(event.target instanceof HTMLElement)) return;
  if (event.target.closest('.cm-editor') !== null) return;
  const key = event.key.toLowerCase();
  const isRedo = key === 'y' || (key === 'z' && event.shiftKey);
  if (key !== 'z' && !isRedo) return;
  event.preventDefault();
  if (isRedo) state.redo();
  else state.undo();
}
