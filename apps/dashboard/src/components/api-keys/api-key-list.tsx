import { type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { Badge, neverExpires } from '@tessera/ui';
import { useState } from 'react';
import { toast } from 'sonner';
import { ChangeButton } from '../form/change-button.tsx';
import { ConfirmDialog } from '../form/confirm-dialog.tsx';
import { PanelList } from '../page/panel-list.tsx';
import { RelativeTime } from '../relative-time.tsx';
import { words } from './words.ts';

/** What the list needs of a key of a user or a team. */
interface ListedKey {
  readonly id: string;
  readonly description: string;
  readonly value: { readonly lastFour: string };
  readonly expiresAt?: Date | undefined;
  readonly scopes: readonly string[] | null;
  whyInvalid(): keyof typeof words.invalid | null;
  revoke(): Promise<void>;
}

interface ApiKeyListProps<Key extends ListedKey, QueryKey extends readonly unknown[]> {
  readonly options: UseQueryOptions<Key[], Error, Key[], QueryKey> & { readonly queryKey: QueryKey };
  /** The sentence for an empty list. */
  readonly empty: string;
}

/** API keys of a user or a team, which can be revoked. */
export function ApiKeyList<Key extends ListedKey, QueryKey extends readonly unknown[]>({
  options,
  empty,
}: ApiKeyListProps<Key, QueryKey>) {
  const query = useQuery(options);
  const cache = useQueryClient();
  const [revoking, setRevoking] = useState<Key>();

  async function revoke(key: Key) {
    await key.revoke();
    await cache.invalidateQueries({ queryKey: options.queryKey });
    toast.success(words.revoked);
  }

  return (
    <>
      <PanelList query={query} itemKey={key => key.id} empty={empty}>
        {key => <KeyRow apiKey={key} onRevoke={() => setRevoking(key)} />}
      </PanelList>
      {revoking && (
        <ConfirmDialog
          title={words.revokeTitle(revoking.description)}
          confirmLabel={words.revoke}
          onConfirm={() => revoke(revoking)}
          onClose={() => setRevoking(undefined)}
        >
          <p>{words.revokeText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function KeyRow({ apiKey: key, onRevoke }: { readonly apiKey: ListedKey; readonly onRevoke: () => void }) {
  const reason = key.whyInvalid();
  return (
    <>
      <span className="tss:grid tss:min-w-0 tss:flex-1">
        <span className="tss:wrap-anywhere">{key.description}</span>
        <span className="tss:text-xs tss:text-muted-foreground">
          <code className="tss:font-mono">{words.ending(key.value.lastFour)}</code> ·{' '}
          {key.expiresAt === undefined || neverExpires(key.expiresAt) ? (
            words.neverExpires
          ) : (
            <>
              {words.expires} <RelativeTime at={key.expiresAt} />
            </>
          )}
        </span>
        {key.scopes !== null && (
          <span className="tss:mt-1 tss:flex tss:flex-wrap tss:gap-1">
            {key.scopes.map(scope => (
              <Badge key={scope}>{scope}</Badge>
            ))}
          </span>
        )}
      </span>
      {reason === null ? (
        <ChangeButton variant="secondary" size="sm" aria-label={words.revokeNamed(key.description)} onClick={onRevoke}>
          {words.revoke}
        </ChangeButton>
      ) : (
        <Badge>{words.invalid[reason]}</Badge>
      )}
    </>
  );
}
