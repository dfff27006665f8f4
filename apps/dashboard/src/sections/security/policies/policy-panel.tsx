import { useQuery } from '@tanstack/react-query';
import { Skeleton } from '@tessera/ui';
import type { ReactNode } from 'react';
import { Panel } from '../../../components/page/panel.tsx';
import { Problem } from '../../../components/page/problem.tsx';
import { useProject } from '../../../data/owner.tsx';
import { policyQuery } from '../queries.ts';
import type { Policy } from './policies.ts';

interface PolicyPanelProps<Fields extends object> {
  readonly policy: Policy<Fields>;
  readonly title: string;
  readonly description?: string;
  readonly className?: string;
  /** The controls, once the settings are loaded. */
  readonly children: (fields: Fields) => ReactNode;
}

/** A group of settings in a panel, with its loading and failed state. */
export function PolicyPanel<Fields extends object>({ policy, children, ...panel }: PolicyPanelProps<Fields>) {
  const query = useQuery(policyQuery(useProject(), policy));
  return (
    <Panel {...panel}>
      {query.isPending && <Skeleton className="tss:h-11" />}
      {query.isLoadingError && <Problem error={query.error} retry={query.refetch} />}
      {query.data !== undefined && children(query.data)}
    </Panel>
  );
}
