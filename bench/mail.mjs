import { SMTPServer } from 'smtp-server';
import { makeDataFolder, removeDataFolder, startServer } from './processes.mjs';

/**
 * The server with a mail server beside it that takes every letter and forgets all but the sign-in code.
 *
 * @typedef {Awaited<ReturnType<typeof openPost>>} Post
 */

/** @param {{ main: string }} options */
export async function openPost({ main }) {
  const sink = await openSink();
  const dataDir = await makeDataFolder();
  const environment = { TESSERA_SMTP_URL: `smtp://127.0.0.1:${sink.port}`, TESSERA_MAIL_FROM: 'bench@localhost' };
  const start = () => startServer({ main, dataDir, environment });
  const post = { sink, server: await start(), restart, close };

  /** Ends the server as a power failure would, and starts it again. */
  async function restart() {
    await post.server.kill();
    post.server = await start();
  }

  async function close() {
    await post.server.stop();
    await sink.close();
    await removeDataFolder(dataDir);
  }
  return post;
}

async function openSink() {
  /** By recipient; a letter that came twice counts once here. */
  const codes = new Map();
  let copies = 0;
  let onLetter = () => undefined;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    async onData(stream, { envelope }, done) {
      const text = Buffer.concat(await stream.toArray()).toString('latin1');
      const [recipient] = envelope.rcptTo;
      codes.set(recipient.address, /^Subject:.*Your code is (\w{6})/m.exec(text)?.[1]);
      copies++;
      done();
      onLetter();
    },
  });
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    port: server.server.address().port,
    codeOf: address => codes.get(address),
    copies: () => copies,
    /** Resolves when there are letters to so many recipients. */
    waitFor: count =>
      new Promise(resolve => {
        onLetter = () => codes.size >= count && resolve(performance.now());
        onLetter();
      }),
    count: () => codes.size,
    close: () => new Promise(resolve => server.close(resolve)),
  };
}
