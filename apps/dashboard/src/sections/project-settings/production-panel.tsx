import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Skeleton } from '@tessera/ui';
import type { ReactNode } from 'react';
import { SettingSwitch } from '../../components/form/setting-switch.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Problem } from '../../components/page/problem.tsx';
import { providerName } from '../../data/oauth-providers.ts';
import { useProject } from '../../data/owner.tsx';
import { useUpdateProject } from '../../data/update-project.ts';
import { rootRoute } from '../../routes/root.tsx';
import { type Advice, productionAdvice } from './production-advice.ts';
import { productionErrorsQuery } from './queries.ts';
import { words } from './words.ts';

const linkClass = 'tss:underline tss:underline-offset-4 tss:inline-block';

/** Production mode, with its findings and links to the settings that resolve them. */
export function ProductionPanel() {
  const project = useProject();
  const errors = useQuery(productionErrorsQuery(project));
  return (
    <Panel title={words.production} description={words.productionText}>
      {errors.isPending && <Skeleton className="tss:h-24" />}
      {errors.isLoadingError && <Problem error={errors.error} retry={errors.refetch} />}
      {errors.data && <Checks messages={errors.data.map(({ message }) => nameDomains(message))} />}
    </Panel>
  );
}

/** The sentences of the SDK are part of the contract. One looks for a switch of the domains in the project settings. */
function nameDomains(message: string): string {
  return message.replace(/'Allow localhost' in project settings$/, words.allowLocalhost);
}

function Checks({ messages }: { readonly messages: readonly string[] }) {
  const project = useProject();
  const update = useUpdateProject();
  const advice = productionAdvice(project.config, rootRoute.useRouteContext().config.sharedProviders);
  const isBlocked = messages.length > 0;
  return (
    <>
      <SettingSwitch
        label={words.productionOn}
        isOn={project.isProductionMode}
        disabled={isBlocked && !project.isProductionMode}
        save={isProductionMode => update({ isProductionMode })}
      />
      {isBlocked && (
        <CheckList title={project.isProductionMode ? words.productionOpen : words.productionBlocked}>
          {messages.map(message => (
            <CheckItem key={message} text={message}>
              <DomainsLink />
            </CheckItem>
          ))}
        </CheckList>
      )}
      {advice.length > 0 && (
        <CheckList title={words.productionAdvice}>
          {advice.map(one => (
            <CheckItem key={one.text} text={one.text}>
              <AdviceLink {...one} />
            </CheckItem>
          ))}
        </CheckList>
      )}
      {!isBlocked && advice.length === 0 && (
        <p className="tss:text-sm tss:text-muted-foreground">{words.productionReady}</p>
      )}
    </>
  );
}

function CheckList({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div className="tss:grid tss:gap-2 tss:text-sm">
      <p className="tss:font-medium">{title}</p>
      <ul className="tss:grid tss:gap-2">{children}</ul>
    </div>
  );
}

function CheckItem({ text, children }: { readonly text: string; readonly children: ReactNode }) {
  return (
    <li className="tss:flex tss:flex-wrap tss:justify-between tss:gap-x-4 tss:gap-y-1 tss:border-t tss:border-border tss:pt-2">
      <span className="tss:min-w-0 tss:text-muted-foreground tss:wrap-anywhere">{text}</span>
      {children}
    </li>
  );
}

function AdviceLink({ provider }: Pick<Advice, 'provider'>) {
  const { id: projectId } = useProject();
  if (provider === undefined) return <DomainsLink />;
  return (
    <Link to="/projects/$projectId/sign-in-methods" params={{ projectId }} search={{ provider }} className={linkClass}>
      {words.toProvider(providerName(provider))}
    </Link>
  );
}

function DomainsLink() {
  const { id: projectId } = useProject();
  return (
    <Link to="/projects/$projectId/domains" params={{ projectId }} className={linkClass}>
      {words.toDomains}
    </Link>
  );
}
