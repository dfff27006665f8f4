import { ProviderFailure } from '../rules.ts';

/** @throws ProviderFailure when the body is not JSON */
export async function readJson(response: Response): Promise<unknown> {
  return parseJson(await response.text());
}

/** @throws ProviderFailure when the text is not JSON */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProviderFailure('answer', 'the provider did not respond with JSON');
  }
}
