import { bodyMaxBytes } from '@tessera/protocol';
import type { HttpRequest } from '../../core/http-request.ts';
import type { Incoming } from '../../http/pipeline.ts';
import { refuse } from '../../http/refusal.ts';
import type { Reply } from '../../http/response/reply.ts';
import type { Page } from '../../http/router.ts';
import { type MockProvider, mockProviderPath } from './mock-provider.ts';
import { frontPage, pageHeaders } from './page.ts';

/** The pages of the mock provider. Mounted in development only. */
export function mockProviderPages(mockProvider: MockProvider): Page[] {
  const headers = pageHeaders(mockProvider.issuer);
  return [
    { method: 'GET', path: mockProviderPath, value: () => ({ status: 200, headers, body: frontPage() }) },
    ...['GET', 'POST', 'OPTIONS'].map(method => ({
      method,
      path: `${mockProviderPath}/*`,
      value: ({ request }: Incoming) => askProvider(request, mockProvider),
    })),
  ];
}

async function askProvider(request: HttpRequest, mockProvider: MockProvider): Promise<Reply> {
  const { method, url, headers } = request;
  const limits = { maxBytes: bodyMaxBytes, discardMaxBytes: bodyMaxBytes };
  const sent = await request.readBody(limits).catch(() => refuse(400, 'The body did not arrive in full.'));
  if (sent === undefined) refuse(413, `The body is larger than ${bodyMaxBytes} bytes.`);
  const isWithoutBody = method === 'GET' || method === 'HEAD';
  const response = await mockProvider.fetch(url, {
    method,
    headers: [...headers.entries()],
    ...(isWithoutBody ? {} : { body: new Uint8Array(sent) }),
  });
  return {
    status: response.status,
    headers: { ...Object.fromEntries(response.headers), 'set-cookie': response.headers.getSetCookie() },
    body: new Uint8Array(await response.arrayBuffer()),
  };
}
