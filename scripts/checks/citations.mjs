import { dirname, join, normalize } from 'node:path';

/** Not checked: an applied migration never changes, and these checks contain broken citations as examples. */
const isExempt = file =>
  file.includes('/migrations/') || /^scripts\/(checks\/citations|controls)(\.test)?\.mjs$/.test(file);

/**
 * Finds broken citations and links: the document, heading, file or folder does not exist.
 * Sources cite `docs/contract/users.md#activity`; Markdown links are relative to their folder. Pictures are not checked.
 *
 * @param {Map<string, string>} files text by path, from the root of the repository
 * @returns {{ file: string, line: number, message: string }[]}
 */
export function findBrokenCitations(files) {
  const anchors = new Map([...files.keys()].flatMap(foldersOf).map(folder => [folder, new Set()]));
  for (const [file, text] of files) anchors.set(file, file.endsWith('.md') ? anchorsOf(text) : new Set());
  const contractNames = [...files.keys()]
    .filter(file => /^docs\/(contract|security)\/.*\.md$/.test(file) && !file.endsWith('README.md'))
    .map(file => file.split('/').at(-1));

  return [...files].flatMap(([file, text]) => {
    if (isExempt(file)) return [];
    return text
      .split('\n')
      .flatMap((content, index) =>
        problemsOf(content, { file, anchors, contractNames }).map(message => ({ file, line: index + 1, message })),
      );
  });
}

/** @returns {string[]} */
function problemsOf(content, { file, anchors, contractNames }) {
  const cited = [...content.matchAll(/(?<![\w./-])(docs\/[\w/-]+\.md)(?:#([\w-]+))?/g)].map(([, path, anchor]) =>
    problemOf(path, anchor, anchors),
  );
  if (!file.endsWith('.md'))
    return [...cited, ...bareNames(content, contractNames)].filter(message => message !== undefined);

  const linked = [...content.matchAll(/\]\((?!\w+:)([^)#\s]*?)\/?(?:#([\w-]+))?\)/g)]
    .filter(([, path]) => !path.endsWith('.png'))
    .map(([, path, anchor]) => problemOf(path ? normalize(join(dirname(file), path)) : file, anchor, anchors));
  return [...linked, ...bareNames(content, [])].filter(message => message !== undefined);
}

/** The folders that contain a file, `packages` and `packages/client` for example. */
function foldersOf(file) {
  const folder = dirname(file);
  return folder === '.' ? [] : [folder, ...foldersOf(folder)];
}

function problemOf(path, anchor, anchors) {
  const known = anchors.get(path);
  if (!known) return `cites ${path}, which does not exist`;
  if (anchor && !known.has(anchor)) return `cites ${path}#${anchor}, but ${path} has no such heading`;
  return undefined;
}

/** `users.md 1.9`, `design.md section 3`: a name without its folder, or a document outside the repository. */
function bareNames(content, contractNames) {
  return [...content.matchAll(/(?<![\w./'"-])([a-z-]+\.md)\b/g)]
    .filter(([, name]) => contractNames.includes(name) || /^(design|style|pages)\.md$/.test(name))
    .map(
      ([, name]) =>
        `cites ${name}: cite a document of the repository by its path, as in docs/contract/users.md#activity`,
    );
}

/** The heading anchors that GitHub generates. */
function anchorsOf(text) {
  const seen = new Map();
  const anchors = new Set();
  for (const [, title] of text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#{1,6} (.+)$/gm)) {
    const slug = title
      .toLowerCase()
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .trim()
      .replaceAll(' ', '-');
    const count = seen.get(slug) ?? 0;
    seen.set(slug, count + 1);
    anchors.add(count === 0 ? slug : `${slug}-${count}`);
  }
  return anchors;
}
