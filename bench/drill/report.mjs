import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { root } from '../processes.mjs';

const marks = ['<!-- drill: begin -->', '<!-- drill: end -->'];

/** The faults to play, all without names, and a sentence for each that cannot be played here. */
export function selectFaults(faults, names) {
  const wanted = Object.entries(faults).filter(([name]) => names.length === 0 || names.includes(name));
  const missing = wanted.filter(([, fault]) => fault.missing !== undefined);
  return {
    played: wanted.filter(([, fault]) => fault.missing === undefined),
    notPlayed: missing.map(([, fault]) => `Not played: ${fault.title}. ${fault.missing}.`),
  };
}

export function countEqual(texts) {
  return [...new Set(texts)].map(text => `${texts.filter(one => one === text).length} × ${text}`);
}

export function tableOf(head, lines) {
  return [head, head.map(() => '---'), ...lines].map(line => `| ${line.join(' | ')} |`).join('\n');
}

/** Replaces the part of a page between the marks. */
export async function writeReport(page, text) {
  const file = join(root, page);
  const [begin, end] = marks;
  const before = await readFile(file, 'utf8');
  const [head, tail] = [before.split(begin)[0], before.split(end)[1]];
  const note = `Played on ${new Date().toISOString().slice(0, 10)} with Node ${process.version}.`;
  await writeFile(file, `${head}${begin}\n${text}\n\n${note}\n${end}${tail}`);
}
