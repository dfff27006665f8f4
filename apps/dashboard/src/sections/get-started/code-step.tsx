import { useQuery } from '@tanstack/react-query';
import type { InternalApiKeyFirstView } from '@tessera/client';
import { Tabs } from '@tessera/ui';
import { CodeBlock } from '../../components/code/code-block.tsx';
import { apiBaseUrl } from '../../config.ts';
import { useProject } from '../../data/owner.tsx';
import { rootRoute } from '../../routes/root.tsx';
import { keyUseQuery } from './app-step.tsx';
import { frameworks, snippets } from './snippets.ts';
import { Step } from './step.tsx';
import { words } from './words.ts';

const placeholder = '…';

/** The code of an app, with the new keys in it. */
export function CodeStep({ keys }: { readonly keys: InternalApiKeyFirstView | undefined }) {
  const project = useProject();
  const { data: request } = useQuery(keyUseQuery(project));
  const { config } = rootRoute.useRouteContext();
  const values = {
    apiUrl: apiBaseUrl(config, window.location.origin),
    projectId: project.id,
    publishableClientKey: keys?.publishableClientKey ?? placeholder,
    secretServerKey: keys?.secretServerKey ?? placeholder,
  };
  return (
    <Step number={2} title={words.code} isDone={Boolean(request)}>
      <p className="tss:text-sm tss:text-muted-foreground">{keys ? words.codeText : words.codeWithoutKeys}</p>
      <Tabs
        label={words.code}
        initial="react"
        tabs={frameworks.map(framework => ({
          id: framework,
          label: words.frameworks[framework],
          content: (
            <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-4">
              {snippets[framework](values).map(({ file, code }) => (
                <CodeBlock key={file} title={file} code={code} copyLabel={words.copyCode(file)} />
              ))}
            </div>
          ),
        }))}
      />
    </Step>
  );
}
