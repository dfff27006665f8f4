import { describe, expect, test } from 'vitest';
import { addBlock, emptyContent, orderOf, setOf } from './blocks.ts';
import { draftProblem, unknownVariables } from './draft-check.ts';

function contentWith(text: string) {
  const content = addBlock(emptyContent, 'Text', 0);
  return setOf(content, orderOf(content)[0] ?? '', 'props', { text });
}

const content = contentWith('Hello {{userDisplayName}}');

describe('an email', () => {
  test.each([
    ['needsSubject', { subject: ' ', content }],
    ['needsBlock', { subject: 'News', content: emptyContent }],
    ['needsContent', { subject: 'News', content: contentWith(' ') }],
    ['brokenSubject', { subject: 'News for {{userDisplayName', content }],
    ['brokenSubject', { subject: 'News for {{userDisplayName}', content }],
    ['brokenSubject', { subject: 'News for userDisplayName}}', content }],
    ['brokenSubject', { subject: '{{}}', content }],
    ['brokenSubject', { subject: '{{user name}}', content }],
    ['brokenContent', { subject: 'News', content: contentWith('{{#if userDisplayName}}Hello') }],
    [undefined, { subject: 'News', content }],
    [undefined, { subject: 'News {of} {{ userDisplayName }}', content }],
    [
      undefined,
      { subject: 'News', content: contentWith('{{#if userDisplayName}}{{userDisplayName}}{{else}}you{{/if}}') },
    ],
  ])('has the problem %s: %j', (problem, draft) => {
    expect(draftProblem(draft)).toBe(problem);
  });

  test('names each unknown variable once', () => {
    const text = '{{firstName}} {{#if plan}}{{firstName}}{{/if}} {{projectDisplayName}} {{! a comment }}';
    const draft = { subject: '{{userDisplayName}} {{city}}', content: contentWith(text) };
    expect(unknownVariables(draft, ['userDisplayName', 'projectDisplayName'])).toEqual(['city', 'firstName', 'plan']);
  });
});
