import { ask, encodeRequest, load } from '../load.mjs';
import { latencyRow, rateRow } from '../rows.mjs';
import { interleave } from '../statistics.mjs';
import { encodeAdminRequest, encodeServerRequest, serverRequest } from './million.mjs';
import { plansOf } from './plans.mjs';
import { crowd, definitionCount } from './seed.mjs';

const connections = 10;
const pageLength = 100;
const keyCount = 20;
const searchBudgetMs = 2;
const pageRatio = 0.6;
const rounds = { rounds: 5, seconds: 1, warmUpSeconds: 1 };

/**
 * @type {Record<string, (million: import('./million.mjs').Million) => Promise<import('../table.mjs').Row[]>>}
 */
export const millionMeasurements = {
  /** Against the floor's one prepared query for the same page of the same table. */
  async page({ server, floor, client, me }) {
    const rows = [];
    const byKey = await interleave(
      { floor: seconds => load({ port: floor.port, requests: [me], connections, seconds }) },
      rounds,
    );
    rows.push(rateRow('floor, one user by key', byKey.floor));
    for (const direction of ['up', 'down']) {
      for (const { where, at, id } of await places(client)) {
        const path = `/page/${direction}/${crowd.projectId}/${at}/${id}`;
        const results = await interleave(
          {
            floor: seconds => load({ port: floor.port, requests: [encodeRequest({ path })], connections, seconds }),
            page: seconds =>
              load({ port: server.port, requests: [pageRequest({ direction, id })], connections, seconds }),
          },
          rounds,
        );
        rows.push(rateRow(`floor, page ${direction} from the ${where}`, results.floor));
        rows.push(rateRow(`GET /users, page ${direction} from the ${where}`, results.page, pageRatio));
      }
    }
    return rows;
  },

  /** One request at a time, like a user who types. */
  async search({ server, floor, client, me }) {
    const byKey = await load({ port: floor.port, requests: [me], connections: 1, seconds: 2 });
    const rows = [latencyRow('floor, one user by key, one connection', byKey.latenciesMs)];
    for (const [kind, words] of Object.entries(await searches(client))) {
      const target = { port: server.port, requests: words.map(searchRequest), connections: 1 };
      await load({ ...target, seconds: 1 });
      const { latenciesMs } = await load({ ...target, seconds: 3 });
      rows.push(latencyRow(`GET /users?query=, ${kind}`, latenciesMs, { p50Ms: searchBudgetMs }));
    }
    return rows;
  },

  /** Of a million users and ten million events, one request at a time. */
  async metrics({ server }) {
    const target = { port: server.port, requests: [encodeAdminRequest('/internal/metrics')], connections: 1 };
    await load({ ...target, seconds: 1 });
    const { latenciesMs } = await load({ ...target, seconds: 4 });
    return [latencyRow('GET /internal/metrics, ten million events', latenciesMs)];
  },

  async plans(million) {
    const requests = {};
    for (const { where, id } of await places(million.client)) {
      requests[`page up from the ${where}`] = pageRequest({ direction: 'up', id });
      requests[`page down from the ${where}`] = pageRequest({ direction: 'down', id });
    }
    for (const [kind, [word]] of Object.entries(await searches(million.client))) {
      requests[`search: ${kind}`] = searchRequest(word);
    }
    const plans = await plansOf(million, requests);
    return Object.entries(plans).map(([name, plan]) => ({
      what: `plan, ${name}`,
      value: plan,
      text: `${plan.seqScans.map(table => `SEQ SCAN of ${table}! `).join('')}${plan.text}`,
      budget: 'no seq scan',
      isKept: plan.seqScans.length === 0,
    }));
  },

  async permission({ server, floor, client, me }) {
    const { rows: members } = await client.query(
      'select team_id, user_id from team_permissions where project_id = $1 order by team_id, user_id limit 50',
      [crowd.projectId],
    );
    // The last definition is ten levels deep.
    const permissionId = `permission_${definitionCount - 1}`;
    const requests = members.map(({ team_id, user_id }) =>
      encodeServerRequest({
        path: `/team-permissions?${new URLSearchParams({ team_id, user_id, recursive: 'true', permission_id: permissionId })}`,
      }),
    );
    const results = await compareWithFloor({ server, floor, me }, requests);
    return [
      rateRow('floor, one user by key', results.floor),
      comparedRow(`permission check among ${definitionCount} definitions`, results.check),
    ];
  },

  async apiKey({ server, floor, client, me }) {
    const { rows: owners } = await client.query('select id from users where project_id = $1 order by id limit $2', [
      crowd.projectId,
      keyCount,
    ]);
    const requests = [];
    for (const { id } of owners) {
      const body = { user_id: id, description: 'bench', expires_at_millis: null };
      const key = await ask(server.port, serverRequest({ method: 'POST', path: '/user-api-keys', body }));
      const check = { method: 'POST', path: '/user-api-keys/check', body: { api_key: key.value } };
      requests.push(encodeServerRequest(check));
    }
    const results = await compareWithFloor({ server, floor, me }, requests);
    return [rateRow('floor, one user by key', results.floor), comparedRow('POST /user-api-keys/check', results.check)];
  },
};

function compareWithFloor({ server, floor, me }, requests) {
  return interleave(
    {
      floor: seconds => load({ port: floor.port, requests: [me], connections, seconds }),
      check: seconds => load({ port: server.port, requests, connections, seconds }),
    },
    rounds,
  );
}

function pageRequest({ direction, id }) {
  const query = new URLSearchParams({ limit: String(pageLength), cursor: id, desc: String(direction === 'down') });
  return encodeServerRequest({ path: `/users?${query}` });
}

function searchRequest(query) {
  return encodeServerRequest({ path: `/users?${new URLSearchParams({ limit: String(pageLength), query })}` });
}

/** Users at the beginning, in the middle and near the end, with a page on either side of them. */
async function places(client) {
  const places = { beginning: 0.001, middle: 0.5, end: 0.999 };
  const found = [];
  for (const [where, share] of Object.entries(places)) {
    const millis = Math.floor(crowd.firstMillis + (crowd.lastMillis - crowd.firstMillis) * share);
    const { rows } = await client.query(
      `select id, signed_up_at_millis as at from users where project_id = $1 and signed_up_at_millis >= $2
       order by signed_up_at_millis, id limit 1`,
      [crowd.projectId, millis],
    );
    found.push({ where, ...rows[0] });
  }
  return found;
}

/** Words of each kind, several where one would find everything in the cache. */
async function searches(client) {
  const { rows } = await client.query(
    `select id, display_name as name, search from users
     where project_id = $1 and id > '80000000-0000-4000-8000-000000000000' order by id limit 300`,
    [crowd.projectId],
  );
  const lastNames = rows.map(({ name }) => name?.split(' ').at(-1) ?? '');
  return {
    'rare word': lastNames.filter(name => name.length >= 10).slice(0, 50),
    'frequent word': ['gmail', 'outlook', 'smith', 'example', 'anna'],
    'word that 1 in 200 have': ['wilson', 'sakura', 'tanaka', 'virtanen'],
    address: rows.flatMap(({ search }) => search.split('\n').filter(line => line.includes('@'))).slice(0, 50),
    'full id': rows.map(({ id }) => id).slice(0, 50),
    'two characters': ['an', 'ma', 'ya', 'qu', 'zz', 'ch'],
    'punctuation only': ['...'],
    'no match': ['zyxwvut', 'qqqq', 'no such person'],
  };
}

/** Beside the floor, without a promise. */
function comparedRow(what, result) {
  const row = rateRow(what, result);
  return { ...row, text: `${row.text}, ratio ${result.ratio.toFixed(2)}` };
}
