import { Badge } from '@tessera/ui';
import { CornerDownRight } from 'lucide-react';
import { ChangeButton } from '../../components/form/change-button.tsx';
import type { OutlineRow } from './graph.ts';
import type { Definition } from './queries.ts';
import { isSystemPermissionId } from './system-permission.ts';
import { words } from './words.ts';

interface OutlineProps {
  readonly rows: readonly OutlineRow<Definition>[];
  readonly onEdit: (definition: Definition) => void;
  readonly onDelete: (definition: Definition) => void;
}

/** Permissions as nested lists: the contained ones are below the permission that contains them. */
export function Outline({ rows, onEdit, onDelete }: OutlineProps) {
  return (
    <ul className="tss:grid tss:grid-cols-[minmax(0,1fr)]">
      {rows.map(row => (
        <li key={row.path.join(' ')} className="tss:grid tss:grid-cols-[minmax(0,1fr)]">
          <DefinitionRow row={row} onEdit={onEdit} onDelete={onDelete} />
          {row.children.length > 0 && (
            <div className="tss:ms-2 tss:border-s tss:border-border tss:ps-3">
              <Outline rows={row.children} onEdit={onEdit} onDelete={onDelete} />
            </div>
          )}
        </li>
      ))}
    </ul>
  );
}

type DefinitionRowProps = Omit<OutlineProps, 'rows'> & { readonly row: OutlineRow<Definition> };

function DefinitionRow({ row, onEdit, onDelete }: DefinitionRowProps) {
  const { node, path, isInCycle, isRepeated } = row;
  const { id, description } = node;
  const isRoot = path.length === 1;
  return (
    <div className="tss:flex tss:min-h-11 tss:flex-wrap tss:items-center tss:gap-x-3 tss:gap-y-1 tss:py-1 tss:text-sm">
      {!isRoot && <CornerDownRight aria-hidden className="tss:size-3.5 tss:shrink-0 tss:text-muted-foreground" />}
      <span className="tss:grid tss:min-w-[min(8rem,100%)] tss:flex-1">
        <code className="tss:font-mono tss:text-xs tss:font-medium tss:wrap-anywhere">{id}</code>
        {description && !isRepeated && (
          <span className="tss:text-xs tss:text-muted-foreground tss:wrap-anywhere">{description}</span>
        )}
      </span>
      {isInCycle && (
        <Badge tone="destructive" title={words.cycleHint}>
          {words.cycle}
        </Badge>
      )}
      {isRepeated && node.containedPermissionIds.length > 0 && (
        <span className="tss:text-xs tss:text-muted-foreground">{words.repeated}</span>
      )}
      {isSystemPermissionId(id)
        ? isRoot && <Badge>{words.builtIn}</Badge>
        : // A permission below several others has its buttons once.
          !isRepeated && (
            <span className="tss:flex tss:flex-wrap tss:gap-2">
              <ChangeButton variant="secondary" size="sm" aria-label={words.editNamed(id)} onClick={() => onEdit(node)}>
                {words.edit}
              </ChangeButton>
              <ChangeButton
                variant="secondary"
                size="sm"
                aria-label={words.deleteNamed(id)}
                onClick={() => onDelete(node)}
              >
                {words.delete}
              </ChangeButton>
            </span>
          )}
    </div>
  );
}
