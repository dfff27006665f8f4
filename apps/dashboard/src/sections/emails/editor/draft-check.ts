import { type EmailDraft, orderOf, textOf } from './blocks.ts';

/** Why an email cannot be sent. */
export type DraftProblem = 'needsSubject' | 'needsBlock' | 'needsContent' | 'brokenSubject' | 'brokenContent';

const shownProps = ['text', 'url', 'alt'] as const;

/** The first reason why an email cannot be sent; undefined when it can. */
export function draftProblem({ subject, content }: EmailDraft): DraftProblem | undefined {
  if (subject.trim() === '') return 'needsSubject';
  if (orderOf(content).length === 0) return 'needsBlock';
  const texts = textsOf(content);
  if (texts.every(text => text.trim() === '')) return 'needsContent';
  if (isBroken(subject)) return 'brokenSubject';
  return texts.some(isBroken) ? 'brokenContent' : undefined;
}

/** The variables of an email, each once. */
export function usedVariables({ subject, content }: EmailDraft): readonly string[] {
  return [...new Set([subject, ...textsOf(content)].flatMap(variablesIn))];
}

/** The variables of an email that are not among the known ones. They are empty in each copy. */
export function unknownVariables(draft: EmailDraft, known: readonly string[]): readonly string[] {
  return usedVariables(draft).filter(name => !known.includes(name));
}

function textsOf(content: EmailDraft['content']): string[] {
  return Object.values(content).flatMap(block => shownProps.map(name => textOf(block, name)));
}

const tagPattern = /\{\{\{?([^{}]*)\}?\}\}/g;

/** The code of each tag, such as `userDisplayName`, `#if userDisplayName` and `/if`. */
function tagsIn(text: string): string[] {
  return [...text.matchAll(tagPattern)].map(([, code = '']) => code.trim());
}

/** Whether the server would send a text with its braces, because it is not a template. */
function isBroken(text: string): boolean {
  if (/\{\{|\}\}/.test(text.replaceAll(tagPattern, ''))) return true;
  const tags = tagsIn(text);
  const count = (pattern: RegExp) => tags.filter(code => pattern.test(code)).length;
  return (
    count(/^[#^]\s*\S/) !== count(/^\//) || tags.some(code => !/^!|^[#^/]?\s*(?:(?:if|unless)\s+)?\S+$|^\^$/.test(code))
  );
}

function variablesIn(text: string): string[] {
  return tagsIn(text)
    .filter(code => !/^[!/]|^(?:else|this|\.|\^)$/.test(code))
    .map(code => code.replace(/^[#^]\s*/, '').replace(/^(?:if|unless)\s+/, ''));
}
