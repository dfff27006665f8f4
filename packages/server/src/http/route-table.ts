/**
 * A route. Parameters of the path are in braces: `/users/{user_id}`. A path with `/*` at its end matches the path
 * before it and all paths below. The method `*` matches every method.
 */
export interface Route<T> {
  readonly method: string;
  readonly path: string;
  readonly value: T;
}

export interface FoundRoute<T> {
  readonly value: T;
  readonly params: Record<string, string>;
}

export interface RouteTable<T> {
  /**
   * Finds the route of the path of a URL, which has no slash at its end. Of several paths that fit, the one with the
   * fewest parameters is taken, whatever its methods; one that ends with `/*` comes last.
   */
  find(method: string, path: string): FoundRoute<T> | undefined;
  /** The methods of the routes that `find` takes for a path, without those that end with `/*`. */
  methodsOf(path: string): string[];
}

interface Pattern<T> extends Route<T> {
  readonly segments: readonly Segment[];
  readonly parameterCount: number;
  readonly isTree: boolean;
}

/** A segment of a path: the text, or the name of a parameter. */
type Segment = { readonly text: string } | { readonly parameter: string };

const noParams: Record<string, string> = {};

/** Finds routes by path. A router library for `fetch` handlers would need the global `Request`, see `HttpRequest`. */
export function createRouteTable<T>(routes: readonly Route<T>[]): RouteTable<T> {
  const patterns = routes.map(parseRoute);
  // `/auth/sessions/current` before `/auth/sessions/{id}`.
  const leaves = patterns.filter(({ isTree }) => !isTree).sort((one, two) => one.parameterCount - two.parameterCount);
  // `/api/v1/app/*` before `/api/*`.
  const trees = patterns.filter(({ isTree }) => isTree).sort((one, two) => two.segments.length - one.segments.length);
  const byLength = groupByLength(leaves);
  const fixed = new Map(
    leaves
      .filter(({ parameterCount }) => parameterCount === 0)
      .map(({ method, path, value }) => [`${method} ${path}`, value]),
  );

  return {
    find(method, path) {
      const value = fixed.get(`${method} ${path}`);
      if (value !== undefined) return { value, params: noParams };
      const segments = splitPath(path);
      const fits = (pattern: Pattern<T>) =>
        (pattern.method === method || pattern.method === '*') && matches(pattern, segments);
      const { patterns, parameterCount } = leavesOf(segments);
      const leaf = patterns.find(pattern => pattern.parameterCount === parameterCount && fits(pattern));
      const found = leaf ?? trees.find(fits);
      return found && { value: found.value, params: readParams(found, segments) };
    },
    methodsOf(path) {
      const segments = splitPath(path);
      const { patterns, parameterCount } = leavesOf(segments);
      const taken = patterns.filter(one => one.parameterCount === parameterCount && matches(one, segments));
      return [...new Set(taken.map(({ method }) => method))];
    },
  };

  /** The routes among which those of a path are, and how many parameters these have. */
  function leavesOf(segments: readonly string[]) {
    const patterns = byLength.get(segments.length) ?? [];
    return { patterns, parameterCount: patterns.find(pattern => matches(pattern, segments))?.parameterCount };
  }
}

function parseRoute<T>(route: Route<T>): Pattern<T> {
  const isTree = route.path.endsWith('/*');
  const path = isTree ? route.path.slice(0, -2) : route.path;
  const segments = path.split('/').map(parseSegment);
  return { ...route, segments, isTree, parameterCount: segments.filter(one => 'parameter' in one).length };
}

function parseSegment(text: string): Segment {
  const [, parameter] = /^\{(\w+)\}$/.exec(text) ?? [];
  return parameter === undefined ? { text } : { parameter };
}

function groupByLength<T>(patterns: readonly Pattern<T>[]): Map<number, Pattern<T>[]> {
  const groups = new Map<number, Pattern<T>[]>();
  for (const pattern of patterns) {
    const group = groups.get(pattern.segments.length) ?? [];
    groups.set(pattern.segments.length, [...group, pattern]);
  }
  return groups;
}

function matches({ segments, isTree }: Pattern<unknown>, given: readonly string[]): boolean {
  if (isTree ? given.length < segments.length : given.length !== segments.length) return false;
  return segments.every((segment, index) => ('text' in segment ? segment.text === given[index] : given[index] !== ''));
}

function readParams({ segments }: Pattern<unknown>, given: readonly string[]): Record<string, string> {
  const params: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    if ('parameter' in segment) params[segment.parameter] = given[index] ?? '';
  }
  return params;
}

function splitPath(path: string): string[] {
  const segments = path.split('/');
  return path.includes('%') ? segments.map(decodeSegment) : segments;
}

/** A segment that is not percent-encoded UTF-8 stays as it is. */
function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
