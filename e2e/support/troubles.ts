import type { BrowserContext, ConsoleMessage, Page, Request, Response } from 'playwright-core';

/**
 * Collects unexpected problems: console messages, exceptions, failed requests and responses with an error status.
 * Not cancelled requests: a page that is left or reloaded cancels those that are still open, which depends on the time.
 */
export function collectTroubles(context: BrowserContext): readonly string[] {
  const troubles: string[] = [];
  const add = (trouble: string | undefined) => {
    if (trouble !== undefined) troubles.push(trouble);
  };
  context.on('console', message => add(consoleTrouble(message)));
  context.on('weberror', event => add(`exception: ${event.error().message}`));
  context.on('requestfailed', request => add(failedRequest(request)));
  context.on('response', response => add(failedAnswer(response)));
  context.on('dialog', async dialog => {
    add(`dialog: ${dialog.message()}`);
    await dialog.dismiss();
  });
  context.on('page', page => page.on('crash', () => add(`crash: ${urlOf(page)}`)));
  return troubles;
}

/** The troubles of a sign-in with a provider: it consists of several redirects. */
export function withoutRedirects(troubles: readonly string[]): string[] {
  return troubles.filter(trouble => !/^30[37]: /.test(trouble));
}

function consoleTrouble(message: ConsoleMessage): string | undefined {
  return ['error', 'warning'].includes(message.type()) ? `console: ${message.text()}` : undefined;
}

function failedRequest(request: Request): string | undefined {
  const reason = request.failure()?.errorText;
  return reason === 'net::ERR_ABORTED' ? undefined : `failed: ${request.method()} ${pathOf(request.url())} ${reason}`;
}

function failedAnswer(response: Response): string | undefined {
  return response.ok() || response.status() === 304
    ? undefined
    : `${response.status()}: ${response.request().method()} ${pathOf(response.url())}`;
}

function urlOf(page: Page): string {
  return pathOf(page.url());
}

function pathOf(url: string): string {
  return new URL(url).pathname;
}
