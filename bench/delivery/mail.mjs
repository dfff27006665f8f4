import { makeDataFolder, removeDataFolder } from '@tessera/testing/data-folder';
import { SMTPServer } from 'smtp-server';
import { startServer, withDatabase } from '../processes.mjs';
import { createArrivals } from './arrivals.mjs';

/** The mail server does not answer for this recipient until a measurement releases it, so the email stays in the queue. */
export const heldAddress = 'held@example.com';

/**
 * The server with a mail server that accepts every email and keeps only the sign-in code.
 *
 * @typedef {Awaited<ReturnType<typeof openMailServer>>} MailBench
 */

/** @param {{ main: string }} options */
export async function openMailServer({ main }) {
  const sink = await openSink();
  const dataDir = await makeDataFolder();
  const environment = {
    TESSERA_SMTP_URL: `smtp://127.0.0.1:${sink.port}?requireTLS=false`,
    TESSERA_MAIL_FROM: 'bench@localhost',
  };
  const start = () => startServer({ main, dataDir, environment });
  const bench = { sink, server: await start(), restart, withDatabase: work => withDatabase(dataDir, work), close };

  /** Kills the server as a power failure would, and restarts it. */
  async function restart() {
    await bench.server.kill();
    bench.server = await start();
  }

  async function close() {
    await bench.server.stop();
    await sink.close();
    await removeDataFolder(dataDir);
  }
  return bench;
}

async function openSink() {
  const codes = new Map();
  const arrivals = createArrivals();
  let onHeld = release => release();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo({ address }, _, done) {
      if (address === heldAddress) onHeld(done);
      else done();
    },
    async onData(stream, { envelope }, done) {
      // Undefined for an email that was cut off, because the server was killed.
      const chunks = await stream.toArray().catch(() => undefined);
      if (chunks === undefined) return;
      const text = Buffer.concat(chunks).toString('latin1');
      const [{ address }] = envelope.rcptTo;
      codes.set(address, /^Subject:.*Your code is (\w{6})/m.exec(text)?.[1]);
      done();
      arrivals.note(address);
    },
  });
  server.on('error', () => undefined);
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    port: server.server.address().port,
    codeOf: address => codes.get(address),
    arrivals,
    /** @returns a function that releases the next email to the held address, once it is there */
    hold: () =>
      new Promise(resolve => {
        onHeld = resolve;
      }),
    close: () => new Promise(resolve => server.close(resolve)),
  };
}
