import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useActionGuard } from '@tessera/react';
import { FormSummary, Skeleton } from '@tessera/ui';
import { ImageUp } from 'lucide-react';
import { useRef, useState } from 'react';
import { toast } from 'sonner';
import { ChangeButton } from '../../components/form/change-button.tsx';
import { Panel } from '../../components/page/panel.tsx';
import { Problem } from '../../components/page/problem.tsx';
import { useProject } from '../../data/owner.tsx';
import { problemWords } from '../../data/problem-words.ts';
import { logoProblem, logoTypes, readDataUrl } from './logo-file.ts';
import { brandingQuery } from './queries.ts';
import { words } from './words.ts';

/** The logo on the sign-in page and in emails. */
export function LogoPanel() {
  const branding = useQuery(brandingQuery(useProject()));
  return (
    <Panel title={words.logo} description={words.logoText}>
      {branding.isPending && <Skeleton className="tss:h-32" />}
      {branding.isLoadingError && <Problem error={branding.error} retry={branding.refetch} />}
      {branding.data && <Logo url={branding.data.logoUrl} />}
    </Panel>
  );
}

function Logo({ url }: { readonly url: string | null }) {
  const input = useRef<HTMLInputElement>(null);
  const { save, isBusy, failure, setFailure } = useSaveLogo();

  async function choose(file: File | undefined) {
    if (file === undefined) return;
    const problem = logoProblem(file);
    if (problem !== undefined) return setFailure(words.logoProblems[problem]);
    await save(() => readDataUrl(file));
  }

  return (
    <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-4">
      <Preview url={url} />
      {failure !== undefined && <FormSummary title={failure} />}
      <div className="tss:flex tss:flex-wrap tss:gap-3">
        <ChangeButton variant="secondary" size="sm" busy={isBusy} onClick={() => input.current?.click()}>
          {url === null ? words.logoChoose : words.logoReplace}
        </ChangeButton>
        {url !== null && (
          <ChangeButton variant="secondary" size="sm" disabled={isBusy} onClick={() => void save(async () => null)}>
            {words.logoRemove}
          </ChangeButton>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept={logoTypes}
        aria-label={words.logoFile}
        className="tss:hidden"
        onChange={event => {
          void choose(event.target.files?.[0]);
          // So that the same file can be chosen again.
          event.target.value = '';
        }}
      />
    </div>
  );
}

/** The logo on light and dark pages, with the size that it has there. */
function Preview({ url }: { readonly url: string | null }) {
  const { displayName } = useProject();
  if (url === null) {
    return (
      <div className="tss:grid tss:h-20 tss:place-items-center tss:rounded-lg tss:border tss:border-dashed tss:border-input tss:text-sm tss:text-muted-foreground">
        <span className="tss:flex tss:items-center tss:gap-2 tss:px-3">
          <ImageUp aria-hidden size={16} className="tss:shrink-0" />
          {words.logoNone}
        </span>
      </div>
    );
  }
  return (
    <div className="tss:grid tss:grid-cols-2 tss:overflow-hidden tss:rounded-lg tss:border tss:border-border">
      {['#fff', '#000'].map((background, index) => (
        <div key={background} className="tss:grid tss:h-20 tss:place-items-center tss:px-4" style={{ background }}>
          <img
            src={url}
            alt={index === 0 ? words.logoOf(displayName) : ''}
            className="tss:max-h-10 tss:max-w-full tss:object-contain"
          />
        </div>
      ))}
    </div>
  );
}

/** Saves a logo, and removes it with null. It resolves when the page shows it. */
function useSaveLogo() {
  const project = useProject();
  const cache = useQueryClient();
  const guard = useActionGuard();
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();

  async function save(read: () => Promise<string | null>) {
    setBusy(true);
    setFailure(undefined);
    try {
      const logoUrl = await read();
      await guard(() => project.app.updateBranding({ logoUrl }));
      await cache.invalidateQueries({ queryKey: brandingQuery(project).queryKey });
      toast.success(logoUrl === null ? words.logoRemoved : words.logoSaved);
    } catch (error) {
      setFailure(problemWords(error));
    } finally {
      setBusy(false);
    }
  }

  return { save, isBusy, failure, setFailure };
}
