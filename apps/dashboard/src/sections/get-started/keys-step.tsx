import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { InternalApiKeyFirstView } from '@tessera/client';
import { useActionGuard } from '@tessera/react';
import { toast } from 'sonner';
import { ChangeButton } from '../../components/form/change-button.tsx';
import { useProject } from '../../data/owner.tsx';
import { problemWords } from '../../data/problem-words.ts';
import { keySetsQuery } from '../api-keys/queries.ts';
import { Step } from './step.tsx';
import { words } from './words.ts';

interface KeysStepProps {
  readonly keys: InternalApiKeyFirstView | undefined;
  readonly onMade: (keys: InternalApiKeyFirstView) => void;
}

const yearMs = 365 * 24 * 3600 * 1000;

/** Makes a publishable key and a secret server key. */
export function KeysStep({ keys, onMade }: KeysStepProps) {
  const project = useProject();
  const cache = useQueryClient();
  const guard = useActionGuard();
  const options = keySetsQuery(project);
  const { data = [] } = useQuery(options);
  const isDone = keys !== undefined || data.some(key => key.isValid() && key.publishableClientKey !== null);

  async function make() {
    try {
      const wanted = {
        description: words.keysDescription,
        expiresAt: new Date(Date.now() + yearMs),
        hasPublishableClientKey: true,
        hasSecretServerKey: true,
        hasSuperSecretAdminKey: false,
      };
      onMade(await guard(() => project.app.createInternalApiKey(wanted)));
      await cache.invalidateQueries({ queryKey: options.queryKey });
    } catch (error) {
      toast.error(problemWords(error));
    }
  }

  return (
    <Step number={1} title={words.keys} isDone={isDone}>
      <p className="tss:text-sm tss:text-muted-foreground">
        {keys ? words.keysShown : isDone ? words.keysDone : words.keysText}
      </p>
      {keys === undefined && (
        <ChangeButton
          size="sm"
          variant={isDone ? 'secondary' : 'primary'}
          className="tss:justify-self-start"
          onClick={make}
        >
          {words.makeKeys}
        </ChangeButton>
      )}
    </Step>
  );
}
