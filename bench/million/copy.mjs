import { once } from 'node:events';

const chunkLength = 64 * 1024;

/**
 * Fills a table with COPY, the fastest way into PostgreSQL.
 *
 * @param {import('pg').Client} client
 * @param {string} target table and columns, `teams (project_id, id)`
 * @param {Iterable<readonly (string | number | boolean | null)[]>} rows made while they are sent
 */
export function copyInto(client, target, rows) {
  return new Promise((resolve, reject) => client.query(new CopyIn(`copy ${target} from stdin`, rows, resolve, reject)));
}

/** The query interface of `pg`, which has no COPY. */
class CopyIn {
  constructor(text, rows, resolve, reject) {
    Object.assign(this, { text, rows, resolve, reject });
  }

  submit(connection) {
    connection.query(this.text);
  }

  async handleCopyInResponse(connection) {
    try {
      for (const chunk of chunksOf(this.rows)) {
        connection.sendCopyFromChunk(Buffer.from(chunk));
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain');
      }
      connection.endCopyFrom();
    } catch (error) {
      connection.sendCopyFail(String(error));
    }
  }

  handleCommandComplete() {}

  handleReadyForQuery() {
    this.resolve();
  }

  handleError(error) {
    this.reject(error);
  }
}

function* chunksOf(rows) {
  let chunk = '';
  for (const row of rows) {
    chunk += `${row.map(field).join('\t')}\n`;
    if (chunk.length < chunkLength) continue;
    yield chunk;
    chunk = '';
  }
  yield chunk;
}

const escapes = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

function field(value) {
  if (value === null) return '\\N';
  return typeof value === 'string' ? value.replaceAll(/[\\\t\n\r]/g, special => escapes[special]) : String(value);
}
