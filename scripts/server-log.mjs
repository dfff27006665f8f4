import { createWriteStream, mkdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const sizeLimitBytes = 10 * 1024 * 1024;
const quietLevels = ['trace', 'debug', 'info'];

/** Opens the file that keeps every log line. It grows over several starts, up to a limit, then begins anew. */
export function openLogFile(dataFolder) {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const path = join(dataFolder, 'server.log');
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > sizeLimitBytes) rmSync(path);
  return createWriteStream(path, { flags: 'a', mode: 0o600 });
}

/**
 * Sends a child's lines to the log file, and to the terminal those that a person should see: warnings and worse, lines
 * that are no log lines, or everything when `showAll` is set; what repeats is shown once. `recent` holds the last lines,
 * for the case that it dies.
 */
export function followOutput(child, { name, file, showAll }) {
  const recent = [];
  let shown = '';
  const onLine = line => {
    file.write(`${line}\n`);
    const entry = parseEntry(line);
    const text = describe(entry, line);
    recent.push(text);
    if (recent.length > 20) recent.shift();

    if (!showAll && (quietLevels.includes(entry?.level) || text === shown)) return;
    shown = text;
    process.stdout.write(`${name}  ${text}\n`);
  };
  createInterface({ input: child.stdout }).on('line', onLine);
  createInterface({ input: child.stderr }).on('line', onLine);
  return { recent: () => recent };
}

function parseEntry(line) {
  if (!line.startsWith('{')) return undefined;
  try {
    const entry = JSON.parse(line);
    return typeof entry.level === 'string' ? entry : undefined;
  } catch {
    // A line that only looks like JSON is shown as it is.
    return undefined;
  }
}

/** Level, message and plain details. Stacks are in the file only, but for the errors that nobody expected. */
function describe(entry, line) {
  if (!entry) return line;
  const { level, time, msg, ...rest } = entry;
  const details = Object.entries(rest).flatMap(([key, value]) => describeDetail(key, value, level));
  return [`${level}  ${msg ?? ''}`, ...details].join('  ');
}

function describeDetail(key, value, level) {
  if (typeof value?.message === 'string') return [level === 'warn' ? value.message : (value.stack ?? value.message)];
  return typeof value === 'object' ? [] : [`${key}=${value}`];
}
