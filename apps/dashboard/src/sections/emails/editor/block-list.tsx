import { Button, classNames } from '@tessera/ui';
import { ArrowDown, ArrowUp, GripVertical, Plus, Trash2 } from 'lucide-react';
import { type DragEvent, type ReactNode, useState } from 'react';
import { BlockFields } from './block-fields.tsx';
import {
  addableTypes,
  addBlock,
  type Block,
  type Blocks,
  moveBlock,
  orderOf,
  removeBlock,
  setOf,
  summaryOf,
} from './blocks.ts';
import { words } from './words.ts';

interface BlockListProps {
  readonly content: Blocks;
  readonly variables: readonly string[];
  readonly hasColors: boolean;
  readonly isReadOnly: boolean;
  /** @param field changes of one field that follow each other are one step of undo */
  readonly onChange: (content: Blocks, field?: string) => void;
}

/** The blocks from top to bottom. They are moved by dragging their handle, or with the buttons up and down. */
export function BlockList({ content, isReadOnly, onChange, ...rest }: BlockListProps) {
  const order = orderOf(content);
  const [dragged, setDragged] = useState<string>();
  const [moved, setMoved] = useState('');

  function move(id: string, index: number) {
    const next = moveBlock(content, id, index);
    if (next === content) return;
    onChange(next);
    setMoved(words.moved(nameOf(content[id]), orderOf(next).indexOf(id) + 1, order.length));
  }

  return (
    <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-3">
      <p role="status" className="tss:sr-only">
        {moved}
      </p>
      {order.length === 0 && <p className="tss:text-sm tss:text-muted-foreground">{words.empty}</p>}
      <ol aria-label={words.blocks} className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-3">
        {order.map((id, index) => {
          const block = content[id];
          if (block === undefined) return null;
          return (
            <li
              key={id}
              className={classNames(
                'tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-3 tss:rounded-lg tss:border tss:border-border tss:bg-card tss:p-3',
                dragged === id && 'tss:opacity-50',
              )}
              onDragOver={event => dragged !== undefined && event.preventDefault()}
              onDrop={event => {
                event.preventDefault();
                if (dragged !== undefined) move(dragged, index);
                setDragged(undefined);
              }}
            >
              <BlockHead
                block={block}
                isFirst={index === 0}
                isLast={index === order.length - 1}
                isReadOnly={isReadOnly}
                onDrag={isDragged => setDragged(isDragged ? id : undefined)}
                onMove={step => move(id, index + step)}
                onRemove={() => onChange(removeBlock(content, id))}
              />
              <BlockFields
                {...rest}
                block={block}
                isReadOnly={isReadOnly}
                onSet={(part, changes) =>
                  onChange(setOf(content, id, part, changes), `${id} ${part} ${Object.keys(changes).join(' ')}`)
                }
              />
            </li>
          );
        })}
      </ol>
      {!isReadOnly && (
        <fieldset
          aria-label={words.add}
          className="tss:m-0 tss:min-w-0 tss:border-0 tss:p-0 tss:flex tss:flex-wrap tss:gap-2"
        >
          {addableTypes.map(type => (
            <Button
              key={type}
              variant="secondary"
              size="sm"
              onClick={() => onChange(addBlock(content, type, order.length))}
            >
              <Plus aria-hidden size={14} />
              {words.type[type]}
            </Button>
          ))}
        </fieldset>
      )}
    </div>
  );
}

interface BlockHeadProps {
  readonly block: Block;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isReadOnly: boolean;
  readonly onDrag: (isDragged: boolean) => void;
  readonly onMove: (step: -1 | 1) => void;
  readonly onRemove: () => void;
}

function BlockHead({ block, isFirst, isLast, isReadOnly, onDrag, onMove, onRemove }: BlockHeadProps) {
  const name = nameOf(block);
  return (
    <div className="tss:flex tss:items-center tss:gap-1">
      {!isReadOnly && (
        // The buttons up and down do the same for the keyboard.
        <span
          draggable
          aria-hidden
          title={words.drag(name)}
          className="tss:cursor-grab tss:p-1 tss:text-muted-foreground"
          onDragStart={(event: DragEvent) => {
            event.dataTransfer.effectAllowed = 'move';
            onDrag(true);
          }}
          onDragEnd={() => onDrag(false)}
        >
          <GripVertical size={16} />
        </span>
      )}
      <h2 className="tss:min-w-0 tss:flex-1 tss:truncate tss:text-sm tss:font-semibold">{typeName(block)}</h2>
      {!isReadOnly && (
        <>
          <MoveButton label={words.up(name)} isAtEnd={isFirst} onClick={() => onMove(-1)}>
            <ArrowUp aria-hidden size={16} />
          </MoveButton>
          <MoveButton label={words.down(name)} isAtEnd={isLast} onClick={() => onMove(1)}>
            <ArrowDown aria-hidden size={16} />
          </MoveButton>
          <Button variant="quiet" size="icon" aria-label={words.remove(name)} onClick={onRemove}>
            <Trash2 aria-hidden size={16} />
          </Button>
        </>
      )}
    </div>
  );
}

/** The look of a button with `aria-disabled`, which keeps the focus when it becomes unavailable. */
export const unavailable = 'tss:aria-disabled:cursor-not-allowed tss:aria-disabled:opacity-50';

interface MoveButtonProps {
  readonly label: string;
  readonly isAtEnd: boolean;
  readonly onClick: () => void;
  readonly children: ReactNode;
}

function MoveButton({ label, isAtEnd, onClick, children }: MoveButtonProps) {
  return (
    <Button
      variant="quiet"
      size="icon"
      aria-label={label}
      aria-disabled={isAtEnd}
      className={unavailable}
      onClick={onClick}
    >
      {children}
    </Button>
  );
}

function typeName({ type }: Block): string {
  return addableTypes.includes(type as (typeof addableTypes)[number])
    ? words.type[type as keyof typeof words.type]
    : type;
}

function nameOf(block: Block | undefined): string {
  return block === undefined ? '' : words.named(typeName(block), summaryOf(block));
}
