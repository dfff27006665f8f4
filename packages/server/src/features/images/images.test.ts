import { randomBytes } from 'node:crypto';
import { crc32, deflateSync } from 'node:zlib';
import {
  imageMaxEdge,
  imageMaxPixels,
  inlineImageMaxBytes,
  type Route,
  rateLimits,
  unusedImageKeptMs,
} from '@tessera/protocol';
import { ask, type CallOptions } from '@tessera/testing/call';
import { outcome } from '@tessera/testing/outcome';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../platform/database/sql.ts';
import { whileLocking } from '../../test/concurrency/waiting-calls.ts';
import { runDueJobs } from '../../test/due-jobs.ts';
import { openTestServer, type TestServer } from '../../test/harness.ts';
import { makeRevocableKeys } from '../../test/revocable-keys.ts';
import { as, asServer, openScene, type Scene, type TeamFilled } from '../teams/scene.fixtures.ts';
import { imagePurge } from './purge.ts';

let server: TestServer;
let scene: Scene;
let team: TeamFilled;
let photo: Buffer;
beforeAll(async () => {
  server = await openTestServer();
  photo = await noise(900, 600)
    .jpeg()
    .withExif({ IFD0: { Copyright: 'the place where Ada lives' } })
    .toBuffer();
});
afterAll(() => server.close());
beforeEach(async () => {
  scene = await openScene(server);
  team = await scene.filledTeam();
});

/** An image that no format can compress. */
function noise(width: number, height: number) {
  return sharp(randomBytes(width * height * 3), { raw: { width, height, channels: 3 } });
}

const dataUrl = (data: Buffer, type = 'image/png') => `data:${type};base64,${data.toString('base64')}`;

/** A black PNG of a few kilobytes with any number of pixels. */
function flatPng(width: number, height: number): Buffer {
  const chunk = (name: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(name), data]);
    const framed = Buffer.alloc(body.length + 8);
    framed.writeUInt32BE(data.length);
    framed.set(body, 4);
    framed.writeUInt32BE(crc32(body), body.length + 4);
    return framed;
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('tEXt', Buffer.from('Comment\0'.padEnd(2 * inlineImageMaxBytes, 'a'))),
    chunk('IDAT', deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Every endpoint that writes an image field. */
const writers: Record<string, (body: object) => [Route, CallOptions]> = {
  'a user by themselves': body => ['PATCH /users/me', { ...as(team.creator), body }],
  'a user by a server': body => ['PATCH /users/{user_id}', { ...asServer, params: { user_id: team.creator.id }, body }],
  'a new user': body => ['POST /users', { ...asServer, body }],
  'a team by a member': body => ['PATCH /teams/{team_id}', { ...as(team.creator), params: { team_id: team.id }, body }],
  'a team by a server': body => ['PATCH /teams/{team_id}', { ...asServer, params: { team_id: team.id }, body }],
  'a new team of a client': body => ['POST /teams', { ...as(team.creator), body: { display_name: 'New', ...body } }],
  'a member by themselves': body => [
    'PATCH /team-member-profiles/{team_id}/{user_id}',
    { ...as(team.creator), params: { team_id: team.id, user_id: 'me' }, body },
  ],
};

async function put(writer: string, profile_image_url: string) {
  const [route, options] = writers[writer]?.({ profile_image_url }) ?? ['GET /users/me', {}];
  return server.call(route, { project: scene.project, ...options });
}

const urlIn = (answer: { json: unknown }) => (answer.json as { profile_image_url: string }).profile_image_url;

/** Downloads a stored image without credentials, like a browser. */
async function download(url: string) {
  const response = await server.app(new Request(url));
  return { status: response.status, headers: response.headers, data: Buffer.from(await response.arrayBuffer()) };
}

describe.each(Object.keys(writers))('the image of %s', writer => {
  test('above 4 KB becomes a WebP of at most 512 pixels without metadata, and the field holds its URL', async () => {
    const answer = await put(writer, dataUrl(photo, 'image/jpeg'));
    const url = urlIn(answer);
    expect(url).toMatch(new RegExp(`^http://localhost:4280/api/v1/images/${scene.project.id}/[0-9a-f]{64}\\.webp$`));
    const { status, headers, data } = await download(url);
    expect([
      status,
      headers.get('content-type'),
      headers.get('cache-control'),
      headers.get('x-content-type-options'),
    ]).toEqual([200, 'image/webp', 'public, max-age=31536000, immutable', 'nosniff']);
    const { format, width, height, exif, icc, xmp } = await sharp(data).metadata();
    expect({ format, width, height, exif, icc, xmp }).toEqual({ format: 'webp', width: 512, height: 341 });
    expect(data.toString('latin1')).not.toContain('the place where Ada lives');
  });

  const isClient = () => writers[writer]?.({})[1].level === undefined;

  test('above 4 KB that cannot be converted is refused and changes nothing', async () => {
    const broken = [
      dataUrl(Buffer.from('\x89PNG\r\n\x1a\n'.padEnd(20_000, 'A'), 'latin1')),
      dataUrl(photo.subarray(0, 20_000), 'image/jpeg'),
    ];
    const refused = isClient()
      ? { status: 400, says: 'a sentence' }
      : { status: 400, code: 'SCHEMA_ERROR', details: { message: expect.stringContaining('body.profile_image_url') } };
    for (const image of broken) expect(outcome(await put(writer, image))).toEqual(refused);
    const params = { user_id: team.creator.id };
    const { json } = await server.call('GET /users/{user_id}', { project: scene.project, ...asServer, params });
    expect(urlIn({ json })).toBeNull();
  });

  test('above 4 KB in another format stays as a server gives it, and is refused to a client', async () => {
    const others = [
      dataUrl(randomBytes(inlineImageMaxBytes + 1)),
      dataUrl(Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><!--${'a'.repeat(9000)}--></svg>`)),
      dataUrl(await noise(100, 100).tiff().toBuffer()),
      `data:image/png;base64,${'A'.repeat(900_000)}`,
    ];
    for (const image of others) {
      const answer = await put(writer, image);
      if (isClient()) expect(outcome(answer)).toEqual({ status: 400, says: 'a sentence' });
      else expect(urlIn(answer)).toBe(image);
    }
  });

  test('of 4 KB or less stays in the field', async () => {
    const small = dataUrl(Buffer.alloc(inlineImageMaxBytes));
    expect(urlIn(await put(writer, small))).toBe(small);
  });
});

describe('control 93: with a key that is revoked while the image is converted', () => {
  const display_name = 'changed by a revoked key';
  const changes: Record<string, () => [Route, Omit<CallOptions, 'body'> & { body: object }]> = {
    'a team': () => ['PATCH /teams/{team_id}', { params: { team_id: team.id }, body: { display_name } }],
    'a new team': () => ['POST /teams', { body: { display_name } }],
    'a member': () => [
      'PATCH /team-member-profiles/{team_id}/{user_id}',
      { params: { team_id: team.id, user_id: team.creator.id }, body: { display_name } },
    ],
  };

  /** Sends a change with an image, and revokes its key meanwhile. */
  async function whileRevoking(route: Route, options: CallOptions) {
    const { leaked, revoke } = await makeRevocableKeys(server, scene.project);
    return whileLocking(server, sql`images`, {
      work: () => server.call(route, { ...options, project: leaked }),
      meanwhile: revoke,
    });
  }

  test.each(Object.keys(changes))('%s is not changed by a server', async subject => {
    const [route, options] = changes[subject]?.() ?? ['GET /users/me', { body: {} }];
    const body = { ...options.body, profile_image_url: dataUrl(photo, 'image/jpeg') };
    const answer = await whileRevoking(route, { ...options, level: 'server', body });
    expect(outcome(answer)).toMatchObject({ status: 401, code: 'INVALID_SECRET_SERVER_KEY' });
    const { json } = await server.call('GET /teams', { project: scene.project, level: 'server' });
    expect(JSON.stringify(json)).not.toContain(display_name);
  });

  test('the logo of the project is not changed', async () => {
    const body = { logo_url: dataUrl(photo, 'image/jpeg') };
    const answer = await whileRevoking('PATCH /internal/extensions/branding', { level: 'admin', body });
    expect(outcome(answer)).toMatchObject({ status: 401, code: 'INVALID_SUPER_SECRET_ADMIN_KEY' });
    const read = await server.call('GET /internal/extensions/branding', { project: scene.project, level: 'admin' });
    expect(read.json).toMatchObject({ logo_url: null });
  });
});

describe('the logo of a project', () => {
  const change = (logo_url: string | null, project = scene.project) =>
    server.call('PATCH /internal/extensions/branding', { project, level: 'admin', body: { logo_url } });
  const logoOf = (answer: { json: unknown }) => (answer.json as { logo_url: string | null }).logo_url ?? '';

  test.each([
    ['a small file', () => noise(16, 8).png().toBuffer(), { width: 16, height: 8 }],
    ['a large file', async () => photo, { width: 512, height: 341 }],
  ])('that is sent as %s becomes a WebP, and apps get its URL', async (_, file, size) => {
    const url = logoOf(await change(dataUrl(await file())));
    expect(url).toMatch(new RegExp(`^http://localhost:4280/api/v1/images/${scene.project.id}/[0-9a-f]{64}\\.webp$`));
    expect(await sharp((await download(url)).data).metadata()).toMatchObject({ format: 'webp', ...size });
    const { json } = await server.call('GET /projects/current', { project: scene.project });
    expect(json).toMatchObject({ logo_url: url });
    expect(logoOf(await change(url))).toBe(url);
    expect((await change(null)).json).toMatchObject({ logo_url: null });
  });

  test.each([
    ['is not an image', dataUrl(randomBytes(1000))],
    ['is a document with scripts', dataUrl(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml')],
    ['is not base64', 'data:image/png,abc'],
    ['is longer than a million characters', dataUrl(randomBytes(750_000))],
  ])('that %s is refused, and the old logo stays', async (_, logo) => {
    const old = 'https://cdn.example/logo.png';
    await change(old);
    expect(outcome(await change(logo))).toMatchObject({
      code: 'SCHEMA_ERROR',
      details: { message: expect.stringContaining('body.logo_url must be') },
    });
    const read = await server.call('GET /internal/extensions/branding', { project: scene.project, level: 'admin' });
    expect(logoOf(read)).toBe(old);
  });

  test('is kept by the daily purge until it is replaced', async () => {
    const url = logoOf(await change(dataUrl(await noise(64, 64).png().toBuffer())));
    const purge = imagePurge(server.deps);
    server.clock.advance(unusedImageKeptMs);
    await purge({});
    expect((await download(url)).status).toBe(200);
    await change(null);
    await purge({});
    expect((await download(url)).status).toBe(404);
  });
});

test.each(['png', 'jpeg', 'gif', 'webp'] as const)('a %s image is converted', async format => {
  const image = dataUrl(await noise(100, 80)[format]().toBuffer(), `image/${format}`);
  const { data } = await download(urlIn(await put('a user by themselves', image)));
  expect(await sharp(data).metadata()).toMatchObject({ format: 'webp', width: 100, height: 80 });
});

test('an image with one row of pixels too many is refused', async () => {
  const edge = Math.sqrt(imageMaxPixels);
  expect((await put('a user by themselves', dataUrl(flatPng(edge, edge)))).status).toBe(200);
  const answer = await put('a user by themselves', dataUrl(flatPng(edge, edge + 1)));
  expect(outcome(answer)).toEqual({ status: 400, says: 'a sentence' });
});

test('an image with an edge of more than 16,384 pixels is refused', async () => {
  expect((await put('a user by themselves', dataUrl(flatPng(1, imageMaxEdge)))).status).toBe(200);
  for (const image of [flatPng(1, imageMaxEdge + 1), flatPng(imageMaxEdge + 1, 1)]) {
    expect(outcome(await put('a user by themselves', dataUrl(image)))).toEqual({ status: 400, says: 'a sentence' });
  }
});

test('control 79: a progressive JPEG of more than 100 scans is refused, because each one takes the time of the whole image', async () => {
  const image = await sharp({ create: { width: 80, height: 80, channels: 3, background: '#888' } })
    .toColourspace('b-w')
    .jpeg({ progressive: true })
    .withExif({ IFD0: { Copyright: 'a'.repeat(2 * inlineImageMaxBytes) } })
    .toBuffer();
  const marker = Buffer.from([0xff, 0xda]);
  const second = image.indexOf(marker, image.indexOf(marker) + 1);
  const scan = image.subarray(second, image.indexOf(0xff, second + 2));
  // The bytes of a scan that name its coefficients, and its bits as before and after: first all but one, then the last one.
  const scans = Array.from({ length: 63 }, (_, index) => index + 1).flatMap(coefficient =>
    [0x01, 0x10].map(bits =>
      Buffer.concat([scan.subarray(0, 7), Buffer.of(coefficient, coefficient, bits), scan.subarray(10)]),
    ),
  );
  const withScans = (count: number) =>
    Buffer.concat([image.subarray(0, second), ...scans.slice(0, count - 1), image.subarray(-2)]);
  expect((await put('a user by themselves', dataUrl(withScans(100), 'image/jpeg'))).status).toBe(200);
  const refused = await put('a user by themselves', dataUrl(withScans(101), 'image/jpeg'));
  expect(outcome(refused)).toEqual({ status: 400, says: 'a sentence' });
});

test('a large data URL that is not base64 stays as a server gives it, and is refused to a client', async () => {
  const url = `data:text/plain,${'a'.repeat(2 * inlineImageMaxBytes)}`;
  expect(urlIn(await put('a user by a server', url))).toBe(url);
  expect((await put('a member by themselves', url)).status).toBe(400);
});

test('the refusal of a broken image names the field', async () => {
  const broken = dataUrl(Buffer.from('\x89PNG\r\n\x1a\n'.padEnd(20_000, 'A'), 'latin1'));
  const refused = outcome(await put('a user by a server', broken));
  const sentence = `must be a PNG, JPEG, GIF or WebP image of at most ${imageMaxPixels} pixels`;
  const message = `The request does not fit PATCH /api/v1/users/${team.creator.id}:\n  - body.profile_image_url ${sentence}`;
  expect(refused).toEqual({ status: 400, code: 'SCHEMA_ERROR', details: { message } });
});

test('a plain URL sent by a server is stored unchanged', async () => {
  const url = `https://example.com/a.png?${'a'.repeat(10_000)}`;
  expect(urlIn(await put('a user by a server', url))).toBe(url);
});

test('GET /users returns image URLs, not image bytes', async () => {
  for (let count = 0; count < 3; count++) await put('a new user', dataUrl(photo));
  const { text } = await server.call('GET /users', { project: scene.project, ...asServer });
  expect(text.length).toBeLessThan(10_000);
});

test('a client may send back its image URL, but no image URL of another project', async () => {
  const url = urlIn(await put('a user by themselves', dataUrl(photo)));
  expect(urlIn(await put('a user by themselves', url))).toBe(url);
  expect(urlIn(await put('a team by a member', url))).toBe(url);
  const foreign = url.replace(scene.project.id, 'internal');
  expect(outcome(await put('a user by themselves', foreign))).toEqual({ status: 400, says: 'a sentence' });
});

test('the event of an update holds the URL of the image', async () => {
  await scene.publishedEvents();
  const url = urlIn(await put('a user by themselves', dataUrl(photo)));
  expect(await scene.publishedEvents()).toMatchObject([{ type: 'user.updated', data: { profile_image_url: url } }]);
});

test('an image of another project is not found', async () => {
  const url = urlIn(await put('a user by themselves', dataUrl(photo)));
  const { project } = await openScene(server);
  expect((await download(url.replace(scene.project.id, project.id))).status).toBe(404);
  expect(await ask(server.app, '/api/v1/images/internal/nothing.webp')).toMatchObject({ status: 400 });
});

test('an image without a reference is deleted by the daily purge after an hour, and others stay', async () => {
  const imageOf = async (writer: string) => urlIn(await put(writer, dataUrl(await noise(64, 64).png().toBuffer())));
  const replaced = await imageOf('a user by themselves');
  const kept = [
    await imageOf('a user by themselves'),
    await imageOf('a team by a member'),
    await imageOf('a member by themselves'),
  ];
  const purge = imagePurge(server.deps);
  const statuses = () => Promise.all([replaced, ...kept].map(async url => (await download(url)).status));
  server.clock.advance(unusedImageKeptMs - 1);
  await purge({});
  expect(await statuses()).toEqual([200, 200, 200, 200]);
  server.clock.advance(1);
  await purge({});
  expect(await statuses()).toEqual([404, 200, 200, 200]);
});

test('more unused images than one run deletes are deleted by the jobs that it adds', async () => {
  const { db } = server.deps;
  await db.query(sql`
    insert into images (project_id, hash, content, stored_at_millis)
    select ${scene.project.id}, sha256(number::text::bytea), '', 0 from generate_series(1, 50001) number
  `);
  await imagePurge(server.deps)({});
  await runDueJobs(server);
  const [left] = await db.query(sql`select count(*) as count from images where stored_at_millis = 0`);
  expect(left).toEqual({ count: 0 });
});

describe.each([
  [
    'clientWritesPerUser',
    { display_name: 'Ada' },
    ['a user by themselves', 'a team by a member', 'a member by themselves'],
  ],
  ['imageUploadsPerUser', undefined, ['a user by themselves', 'a team by a member', 'a member by themselves']],
] as const)('limit %s', (limit, body, limited) => {
  test.each(limited)(
    'the write of %s is refused with 429 and Retry-After when the user has none left',
    async writer => {
      const key = `${limit}:${scene.project.id}:${team.creator.id}`;
      const [route, options] = writers[writer]?.(body ?? { profile_image_url: dataUrl(photo) }) ?? [
        'GET /users/me',
        {},
      ];
      const write = () => server.call(route, { project: scene.project, ...options });
      expect((await write()).status).toBe(200);
      await server.deps.db.query(
        sql`update rate_limits set points = ${rateLimits[limit].points - 1} where key = ${key}`,
      );
      expect((await write()).status).toBe(200);
      const refused = await write();
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      const others = { ...as(team.member), body: { display_name: 'Eve' } };
      expect((await server.call('PATCH /users/me', { project: scene.project, ...others })).status).toBe(200);
      const byServer = { ...asServer, ...as(team.creator), body: { display_name: 'Ada' } };
      expect((await server.call('PATCH /users/me', { project: scene.project, ...byServer })).status).toBe(200);
    },
  );
});
