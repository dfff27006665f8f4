import type { FieldErrors } from '../../components/form/use-form.ts';
import { planGrants } from '../teams/detail/plan-grants.ts';
import { changeIds } from './change-ids.ts';
import { type GraphNode, idsThatContain } from './graph.ts';
import { words } from './words.ts';

/** A definition that is being written. */
export interface DefinitionDraft {
  readonly id: string;
  readonly description: string;
  readonly contained: readonly string[];
}

/** docs/contract/permissions.md#permission-ids: the ids that a definition may have. */
const customId = /^[a-z0-9_:]+$/;

/** The problems of a new definition. `taken` are the ids of its scope; the server also refuses those of the other scope. */
export function validateNewDefinition({ id }: DefinitionDraft, taken: readonly string[]): FieldErrors<DefinitionDraft> {
  if (!customId.test(id.trim())) return { id: words.idWrong };
  if (taken.includes(id.trim())) return { id: words.idTaken };
  return {};
}

interface EditedDefinition {
  /** The definition when the edit began. */
  readonly opened: StoredDefinition;
  /** The definition now. */
  readonly stored: StoredDefinition;
  readonly draft: Pick<DefinitionDraft, 'description' | 'contained'>;
}

interface StoredDefinition {
  readonly description?: string | undefined;
  readonly containedPermissionIds: readonly string[];
}

/** What to save after an edit. What was not edited stays as another admin may have changed it meanwhile. */
export function definitionChanges({ opened, stored, draft }: EditedDefinition) {
  const description = draft.description.trim();
  const plan = planGrants(opened.containedPermissionIds, draft.contained);
  const isPlanned = plan.grant.length + plan.revoke.length > 0;
  return {
    ...(description === (opened.description ?? '').trim() ? {} : { description }),
    ...(isPlanned ? { containedPermissionIds: changeIds(stored.containedPermissionIds, plan) } : {}),
  };
}

/** A permission that another one can contain, or the reason why it cannot. */
export interface Containable {
  readonly id: string;
  readonly refusal: string | undefined;
}

/** The permissions that one can contain. What contains it already is refused, because that would make a cycle. */
export function containablesOf(id: string, nodes: readonly GraphNode[]): readonly Containable[] {
  const outer = idsThatContain(id, nodes);
  return nodes
    .filter(node => node.id !== id)
    .map(node => ({ id: node.id, refusal: outer.has(node.id) ? words.wouldCycle(id) : undefined }));
}
