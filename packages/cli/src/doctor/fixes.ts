import { apiPath } from '@tessera/protocol/limits';

/** Lines to paste. Examples replace the values that only the operator knows. */
export const fixes = {
  database: (name: string) => `${name}=postgresql://user:password@db.example.com:5432/tessera`,
  /** The packages of the release that the problem names, as `npm run pack` creates them. */
  release: 'npm install /path/to/tessera/packed/tessera-{protocol,client,react,embedded-postgres,server,cli}-*.tgz',
  mail: 'TESSERA_SMTP_URL=smtp://user:password@mail.example.com:587',
  /** For nginx, in the server block of the address. */
  proxy: 'location / { proxy_pass http://127.0.0.1:4280; }',
  proxyApi: `location ${apiPath}/ { proxy_pass http://127.0.0.1:4280; }`,
} as const;

/** An nginx line that passes response headers on. */
export function passHeaders(names: readonly string[]): string {
  return names.map(name => `proxy_pass_header ${name};`).join(' ');
}
