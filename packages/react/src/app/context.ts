import type { ApiKeyScope } from '@tessera/client';
import { createContext } from 'react';
import type { TranslationOverrides } from '../words/words.ts';
import type { ClientApp } from './apps.ts';

/** The value of the provider. */
export interface Tessera {
  readonly app: ClientApp<true>;
  readonly lang?: string | undefined;
  readonly translationOverrides?: TranslationOverrides | undefined;
  readonly apiKeyScopes?: readonly ApiKeyScope[] | undefined;
}

export const TesseraContext = createContext<Tessera | undefined>(undefined);
