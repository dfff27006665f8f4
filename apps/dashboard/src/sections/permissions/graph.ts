/** A node of the graph: a permission with the ids that it contains. */
export interface GraphNode {
  readonly id: string;
  readonly containedPermissionIds: readonly string[];
}

/** A permission in the outline of the graph. */
export interface OutlineRow<Node extends GraphNode> {
  readonly node: Node;
  /** Unique in the outline: the ids from the root. */
  readonly path: readonly string[];
  /** Whether it contains itself, directly or through others. */
  readonly isInCycle: boolean;
  /** An earlier row shows the permission, with what it contains. */
  readonly isRepeated: boolean;
  readonly children: readonly OutlineRow<Node>[];
}

/**
 * The graph as an outline: permissions that no other one contains, with the contained ones below them. Each permission is
 * expanded once, so that the outline stays as small as the graph. A cycle without a root begins at its first id.
 */
export function outlineOf<Node extends GraphNode>(nodes: readonly Node[]): readonly OutlineRow<Node>[] {
  const byId = new Map(nodes.map(node => [node.id, node]));
  const contained = new Set(nodes.flatMap(({ containedPermissionIds }) => containedPermissionIds));
  const expanded = new Set<string>();

  function rowOf(node: Node, parents: readonly string[]): OutlineRow<Node> {
    const path = [...parents, node.id];
    const isRepeated = expanded.has(node.id);
    expanded.add(node.id);
    const inner = isRepeated ? [] : node.containedPermissionIds.flatMap(id => byId.get(id) ?? []);
    return {
      node,
      path,
      isInCycle: containsItself(node, nodes),
      isRepeated,
      children: inner.map(one => rowOf(one, path)),
    };
  }

  const roots = nodes.filter(({ id }) => !contained.has(id)).map(node => rowOf(node, []));
  const others = nodes.flatMap(node => (expanded.has(node.id) ? [] : [rowOf(node, [])]));
  return [...roots, ...others];
}

/** The ids that contain a permission at any depth. Containing one of them would make a cycle. */
export function idsThatContain(id: string, nodes: readonly GraphNode[]): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [id];
  for (let inner = waiting.pop(); inner !== undefined; inner = waiting.pop()) {
    for (const outer of nodes) {
      if (!outer.containedPermissionIds.includes(inner) || found.has(outer.id)) continue;
      found.add(outer.id);
      waiting.push(outer.id);
    }
  }
  return found;
}

function containsItself({ id }: GraphNode, nodes: readonly GraphNode[]): boolean {
  return idsThatContain(id, nodes).has(id);
}
