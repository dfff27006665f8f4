import type { InternalApiKeyFirstView } from '@tessera/client';
import { SecretOnce } from '../../components/code/secret-once.tsx';
import { keyKinds } from './key-set.ts';
import { words } from './words.ts';

/** New keys, and whether they replace others. */
export interface NewKeys {
  readonly keys: InternalApiKeyFirstView;
  readonly isRotation: boolean;
}

interface ShowNewKeysProps extends NewKeys {
  readonly onStored: () => void;
}

/** Shows new keys a single time. */
export function ShowNewKeys({ keys, isRotation, onStored }: ShowNewKeysProps) {
  const secrets = keyKinds.flatMap(kind => {
    const value = keys[kind];
    return value === undefined ? [] : [{ label: words.kind[kind], value, copyLabel: words.copy(words.kind[kind]) }];
  });
  return (
    <SecretOnce title={isRotation ? words.rotatedTitle : words.createdTitle} secrets={secrets} onStored={onStored} />
  );
}
