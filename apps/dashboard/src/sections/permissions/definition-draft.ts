import type { FieldErrors } from '../../components/form/use-form.ts';
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
