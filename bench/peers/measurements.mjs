import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { load, openConnection } from '../load.mjs';
import { root } from '../processes.mjs';
import { interleave } from '../statistics.mjs';
import { barChart } from './plot.mjs';

const connections = 10;
const plan = { rounds: 5, seconds: 3 };
const plotFile = join(root, '.cache/bench/peers.svg');

/** Rates of both, for the plot: it holds what has been measured so far. */
const groups = [];

/** @type {Record<string, (peers: import('./peers.mjs').Peers) => Promise<import('../table.mjs').Row[]>>} */
export const peerMeasurements = {
  /** Who is signed in: an access token here, the cookie of a session there; both read the database. */
  peerSession: peers => compare('who is signed in', peers, 'session'),

  /** With a password: argon2id here, scrypt there, each in the cost that the product sets. */
  peerSignIn: peers => compare('sign-in with a password', peers, 'signIn'),

  /** New users with a password, one after the other on each connection. */
  async peerSignUp(peers) {
    let next = 0;
    const signUps = peer => seconds =>
      loadNew({ port: peer.port, requestOf: () => peer.signUpOf(`new-${process.pid}-${next++}@example.com`), seconds });
    return row('sign-up with a password', { betterAuth: signUps(peers.betterAuth), tessera: signUps(peers.tessera) });
  },
};

function compare(what, peers, name) {
  const of = peer => seconds => load({ port: peer.port, requests: peer[name], connections, seconds });
  return row(what, { betterAuth: of(peers.betterAuth), tessera: of(peers.tessera) });
}

async function row(what, subjects) {
  const { betterAuth, tessera } = await interleave(subjects, plan);
  groups.push({ name: what, values: { Tessera: tessera.rate, 'Better Auth': betterAuth.rate } });
  await mkdir(dirname(plotFile), { recursive: true });
  await writeFile(plotFile, barChart({ title: 'Requests per second, 10 connections', groups }));
  const text = `${tessera.rate.toFixed(0)}/s, Better Auth ${betterAuth.rate.toFixed(0)}/s, ratio ${tessera.ratio.toFixed(2)}`;
  return [
    {
      what,
      value: { tessera, betterAuth },
      text: `${text}; p99 ${tessera.p99Ms.toFixed(1)} and ${betterAuth.p99Ms.toFixed(1)} ms`,
      budget: '',
    },
  ];
}

/** Sends requests that are made one by one, because each address signs up once. */
async function loadNew({ port, requestOf, seconds }) {
  const startedAt = performance.now();
  const latenciesMs = [];
  const lane = async () => {
    const connection = await openConnection(port);
    while (performance.now() - startedAt < seconds * 1000) {
      const request = requestOf();
      const sentAt = performance.now();
      const { status, text } = await connection.send(request);
      if (status !== 200) throw new Error(`${status}: ${text.slice(0, 500)}`);
      latenciesMs.push(performance.now() - sentAt);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: connections }, lane));
  return { rate: (latenciesMs.length * 1000) / (performance.now() - startedAt), latenciesMs };
}
