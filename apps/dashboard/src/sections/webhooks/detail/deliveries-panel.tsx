import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Field, Select } from '@tessera/ui';
import { useMemo, useState } from 'react';
import { toast } from 'sonner';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { ConfirmDialog } from '../../../components/form/confirm-dialog.tsx';
import { Panel } from '../../../components/page/panel.tsx';
import { PagedTable } from '../../../components/table/paged-table.tsx';
import { useProject } from '../../../data/owner.tsx';
import { problemWords } from '../../../data/problem-words.ts';
import { type Delivery, deliveryPagesQuery, type Endpoint, webhooksKey } from '../queries.ts';
import { resendMatches } from '../resend-matches.ts';
import { webhookRoute } from '../routes.ts';
import { readDeliverySearch } from '../search.ts';
import { words } from '../words.ts';
import { deliveryColumns } from './delivery-columns.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';

const rowId = (delivery: Delivery) => delivery.id;
const rowName = (delivery: Delivery) => delivery.eventType;

/** The messages for an endpoint, with filters and resend. */
export function DeliveriesPanel({ endpoint }: { readonly endpoint: Endpoint }) {
  const project = useProject();
  const search = webhookRoute.useSearch();
  const pages = useInfiniteQuery(deliveryPagesQuery(project, endpoint.id, search));
  const rows = useMemo(() => pages.data?.pages.flat(), [pages.data]);
  const [opened, setOpened] = useState<Delivery>();
  const columns = useMemo(() => deliveryColumns(endpoint.id, setOpened), [endpoint.id]);
  const isFiltered = search.status !== undefined || search.since !== undefined;

  return (
    <Panel
      title={words.deliveries}
      description={words.deliveriesHint}
      actions={rows !== undefined && rows.length > 0 && <ResendAll endpoint={endpoint} />}
    >
      {endpoint.disabled && <p className="tss:text-sm">{words.deliveriesOff}</p>}
      {(isFiltered || rows === undefined || rows.length > 0) && <DeliveryFilters />}
      <PagedTable
        pages={pages}
        label={words.deliveries}
        columns={columns}
        rows={rows}
        rowId={rowId}
        rowName={rowName}
        empty={<Empty endpoint={endpoint} isFiltered={isFiltered} />}
      />
      {opened && <DeliveryDialog endpoint={endpoint} delivery={opened} onClose={() => setOpened(undefined)} />}
    </Panel>
  );
}

function Empty({ endpoint, isFiltered }: { readonly endpoint: Endpoint; readonly isFiltered: boolean }) {
  if (endpoint.disabled && !isFiltered) return null;
  return <p className="tss:text-sm tss:text-muted-foreground">{isFiltered ? words.noMatch : words.noDeliveries}</p>;
}

function DeliveryFilters() {
  const search = webhookRoute.useSearch();
  const navigate = webhookRoute.useNavigate();
  const filter = (name: 'status' | 'since', value: string) =>
    void navigate({ search: known => readDeliverySearch({ ...known, [name]: value }), replace: true });

  return (
    <search className="tss:grid tss:gap-4 tss:sm:grid-cols-2">
      <Field label={words.status}>
        <Select value={search.status ?? ''} onChange={event => filter('status', event.target.value)}>
          <option value="">{words.anyStatus}</option>
          {Object.entries(words.statusOf).map(([status, label]) => (
            <option key={status} value={status}>
              {status === 'pending' ? words.waitingOrFailing : label}
            </option>
          ))}
        </Select>
      </Field>
      <Field label={words.since}>
        <Select value={search.since ?? ''} onChange={event => filter('since', event.target.value)}>
          <option value="">{words.anyTime}</option>
          {Object.entries(words.sinceOf).map(([since, label]) => (
            <option key={since} value={since}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
    </search>
  );
}

function ResendAll({ endpoint }: { readonly endpoint: Endpoint }) {
  const project = useProject();
  const cache = useQueryClient();
  const search = webhookRoute.useSearch();
  const [isConfirming, setConfirming] = useState(false);

  async function resend() {
    const { done, failure } = await resendMatches(project.app, endpoint.id, search);
    if (failure === undefined) toast.success(words.resentAll(done));
    else toast.error(words.resentPartly(done, problemWords(failure)));
    await cache.invalidateQueries({ queryKey: webhooksKey(project) });
  }

  return (
    <>
      <ChangeButton variant="secondary" size="sm" disabled={endpoint.disabled} onClick={() => setConfirming(true)}>
        {words.resendAll}
      </ChangeButton>
      {isConfirming && (
        <ConfirmDialog
          title={words.resendAllTitle}
          confirmLabel={words.resendAll}
          onConfirm={resend}
          onClose={() => setConfirming(false)}
        >
          <p>{words.resendAllText}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
