import { createWriteStream, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const sizeLimitBytes = 10 * 1024 * 1024;
const quietLevels = ['trace', 'debug', 'info'];

/**
 * Opens the file with all log lines. It grows over several starts up to a limit, then starts again. `onError` hears why it
 * cannot be written (a full disk), once; later lines are dropped.
 */
export function openLogFile(dataFolder, { onError }) {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const path = join(dataFolder, 'server.log');
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > sizeLimitBytes) rmSync(path);
  return createWriteStream(path, { flags: 'a', mode: 0o600 }).on('error', onError);
}

/**
 * Sends a child's lines to the log file. The terminal gets warnings, errors and lines that are not log entries, or all
 * lines with `showAll`; repeated lines appear once. `recent` holds the last lines, and `unseen` those of them that the
 * terminal did not get, for the message when the child ends unexpectedly.
 */
export function followOutput(child, { name, file, showAll }) {
  const recent = [];
  let shown = '';
  const onLine = line => {
    file.write(`${line}\n`);
    const entry = parseEntry(line);
    const text = describe(entry, line);
    const isQuiet = !showAll && quietLevels.includes(entry?.level);
    recent.push({ text, isQuiet });
    if (recent.length > 20) recent.shift();

    if (isQuiet || (!showAll && text === shown)) return;
    shown = text;
    process.stdout.write(`${name}  ${text}\n`);
  };
  createInterface({ input: child.stdout }).on('line', onLine);
  createInterface({ input: child.stderr }).on('line', onLine);
  const texts = lines => lines.map(({ text }) => text);
  return { recent: () => texts(recent), unseen: () => texts(recent.filter(({ isQuiet }) => isQuiet)) };
}

function parseEntry(line) {
  if (!line.startsWith('{')) return undefined;
  try {
    const entry = JSON.parse(line);
    return typeof entry.level === 'string' ? entry : undefined;
  } catch {
    // The line only looks like JSON.
    return undefined;
  }
}

/** Level, message and plain details. Stacks are only in the file, except for unexpected errors. */
function describe(entry, line) {
  if (!entry) return line;
  const { level, time, msg, ...rest } = entry;
  const details = Object.entries(rest).flatMap(([key, value]) => describeDetail(key, value, level));
  return [`${level}  ${msg ?? ''}`, ...details].join('  ');
}

function describeDetail(key, value, level) {
  if (typeof value?.message === 'string') {
    const causes = value.cause ? describeDetail('cause', value.cause, level) : [];
    return [level === 'warn' ? value.message : (value.stack ?? value.message), ...causes];
  }
  return typeof value === 'object' ? [] : [`${key}=${value}`];
}
