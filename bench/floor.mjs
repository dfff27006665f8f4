import { createPublicKey, verify } from 'node:crypto';
import { createServer } from 'node:http';
import pg from 'pg';

/**
 * The least that can answer "who am I": a bare server, a map of verified tokens, one prepared query by primary key;
 * and the least that can answer a page of users: one prepared query by position.
 * What Tessera costs on top of this is the price of its features.
 */
const { database, poolSize, jwk } = JSON.parse(process.env.BENCH_FLOOR);
const pool = new pg.Pool({ ...database, max: poolSize });
const key = createPublicKey({ format: 'jwk', key: jwk });
const known = new Map();
const columns = `id, display_name, profile_image_url, client_metadata, client_read_only_metadata, server_metadata,
      otp_auth_enabled, is_anonymous, signed_up_at_millis`;
const query = { name: 'user', text: `select ${columns} from users where project_id = $1 and id = $2` };
/** The columns of a user in the page, as stored. */
const listed = `${columns}, primary_email, primary_email_verified, primary_email_used_for_auth, last_active_at_millis,
      selected_team_id, password_hash is not null as has_password, totp_secret is not null as requires_totp_mfa`;
const pages = {
  up: {
    name: 'page-up',
    text: `select ${listed} from users where project_id = $1 and (signed_up_at_millis, id) >= ($2, $3)
      order by signed_up_at_millis, id limit 100`,
  },
  down: {
    name: 'page-down',
    text: `select ${listed} from users where project_id = $1 and (signed_up_at_millis, id) <= ($2, $3)
      order by signed_up_at_millis desc, id desc limit 100`,
  },
};

function claimsOf(token) {
  const claims = known.get(token) ?? verifyToken(token);
  return claims.exp * 1000 > Date.now() ? claims : undefined;
}

function verifyToken(token) {
  const [head, body, signature] = token.split('.');
  const bytes = Buffer.from(signature, 'base64url');
  const isSigned = verify('sha256', Buffer.from(`${head}.${body}`), { key, dsaEncoding: 'ieee-p1363' }, bytes);
  const claims = isSigned ? JSON.parse(Buffer.from(body, 'base64url').toString()) : { exp: 0 };
  known.set(token, claims);
  return claims;
}

/** What one prepared query finds: the user of the token, or a page of users, `/page/up/project/time/id`. */
async function answerTo({ url, headers }) {
  const [, what, direction, ...values] = url.split('/');
  if (what === 'page') return (await pool.query({ ...pages[direction], values })).rows;
  const claims = claimsOf(headers['x-stack-access-token']);
  return claims && (await pool.query({ ...query, values: [claims.aud, claims.sub] })).rows[0];
}

const server = createServer(async (request, response) => {
  const answer = await answerTo(request);
  if (answer === undefined) return response.writeHead(401).end();
  const body = JSON.stringify(answer);
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }).end(body);
});
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
