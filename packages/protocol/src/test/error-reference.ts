import { type AnyCode, catalogue, classNameOf } from '../catalogue/catalogue.ts';
import type { Row } from '../catalogue/row.ts';
import { sentences } from '../sentences.ts';

const head = `# Errors

<!-- Written by packages/protocol/src/error-reference.test.ts from the catalogue. -->

Every error that the API answers, with its stable code. A program compares codes, never texts:

\`\`\`ts
// errors.ts
import { ClientApp, isKnown } from '@tessera/client';

const app = new ClientApp({ tokenStore: 'cookie' });

export async function verify(code: string): Promise<string> {
  const result = await app.verifyEmail(code);
  if (result.status === 'ok') return 'Thank you.';
  if (isKnown(result.error, 'VERIFICATION_CODE_EXPIRED')) return 'The link has expired.';
  return \`\${result.error.message} (\${result.error.docsPath})\`;
}
\`\`\`

A running server lists the codes of
each endpoint at \`/api/v1/openapi.json\`. A code catches the codes below it: \`isKnown(error, 'VERIFICATION_ERROR')\` is true for \`VERIFICATION_CODE_EXPIRED\` too.
\`error.errorCode\` is the code of a known error, for a log or a \`switch\`, and \`error.docsPath\` its entry in this file. Two kinds of errors have no code of the API:

- \`RequestError\`: no usable response. Its \`reason\` is \`offline\`, \`unreachable\`, \`too-many-requests\` or
  \`unexpected-answer\`; \`status\`, \`sentence\` and \`traceId\` say more. An app with secret keys waits for a response for
  30 seconds.
- \`SdkError\`: \`NOT_SIGNED_IN\`, \`CONNECTION_MISSING\` and \`INVALID_METADATA\`, which the SDK raises without a request.
`;

/** docs/errors.md: one entry per code of the catalogue. */
export function errorReference(): string {
  const codes = Object.keys(catalogue) as AnyCode[];
  return `${[head, ...[...codes].sort().map(entryOf)].join('\n')}`;
}

function entryOf(code: AnyCode): string {
  const row: Row = catalogue[code];
  const below = (Object.keys(catalogue) as AnyCode[]).filter(other => (catalogue[other] as Row).parent === code).sort();
  const facts = [
    `- Class: \`KnownErrors.${classNameOf(code)}\``,
    row.status === undefined ? '- Groups other codes, and is never answered itself' : `- HTTP status: ${row.status}`,
    row.parent && `- Also caught by: ${linkTo(row.parent)}`,
    below.length > 0 && `- Catches: ${below.map(linkTo).join(', ')}`,
    detailsOf(row),
  ];
  return [`## ${code}`, '', ...sentenceOf(code), ...facts.filter(Boolean), ''].join('\n');
}

function linkTo(code: string): string {
  return `[\`${code}\`](#${code.toLowerCase()})`;
}

function detailsOf({ args }: Row): string | undefined {
  if (args === 'message') return undefined;
  if (args === 'json') return '- Details: any JSON';
  return args && `- Details: ${args.map(arg => `\`${arg}\``).join(', ')}`;
}

/** The default message, with the names of the details in braces. */
function sentenceOf(code: AnyCode): string[] {
  const sentence = (sentences as Partial<Record<string, string | ((details: never) => string)>>)[code];
  if (sentence === undefined) return [];
  const text = typeof sentence === 'string' ? sentence : fillSentence(sentence);
  return text.trim() === '' ? [] : [`> ${text.trim().replaceAll('\n', '\n> ')}`, ''];
}

/** Sentences that compute with a detail have no form with its name. */
function fillSentence(sentence: (details: never) => string): string {
  const details = new Proxy(
    {},
    { get: (_, name) => Object.assign(new String(`{${String(name)}}`), { join: () => `{${String(name)}}` }) },
  );
  try {
    return sentence(details as never);
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return '';
    throw error;
  }
}
