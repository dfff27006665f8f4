import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { EmailPreview } from '@tessera/client';
import { Button, classNames } from '@tessera/ui';
import { useEffect, useRef, useState } from 'react';
import { Disclosure } from '../../../components/disclosure.tsx';
import { Problem } from '../../../components/page/problem.tsx';
import { rootRoute } from '../../../routes/root.tsx';
import { words } from './words.ts';

type View = keyof typeof words.views;

const views = ['wide', 'phone', 'text'] as const;

interface PreviewProps {
  readonly queryKey: readonly unknown[];
  readonly load: () => Promise<EmailPreview>;
}

/** The rendered email, wide, as on a phone, in dark mode and as plain text, with sample values. */
export function Preview({ queryKey, load }: PreviewProps) {
  const [view, setView] = useState<View>('wide');
  const [isDark, setDark] = useState(false);
  const { data, error, isError, isFetching } = useQuery({
    queryKey,
    queryFn: load,
    placeholderData: keepPreviousData,
    retry: false,
  });
  return (
    <section aria-label={words.preview} className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:content-start tss:gap-3">
      <fieldset
        aria-label={words.previewAs}
        className="tss:m-0 tss:min-w-0 tss:border-0 tss:p-0 tss:flex tss:flex-wrap tss:gap-2"
      >
        {views.map(id => (
          <Toggle key={id} isOn={view === id} onClick={() => setView(id)}>
            {words.views[id]}
          </Toggle>
        ))}
        <Toggle isOn={isDark} onClick={() => setDark(!isDark)}>
          {words.dark}
        </Toggle>
      </fieldset>
      {isError && <Problem error={error} />}
      {data && !isError && (
        <>
          <p className="tss:text-sm tss:wrap-anywhere">
            <span className="tss:text-muted-foreground">{words.subject}: </span>
            <span className="tss:font-medium">{data.subject}</span>
          </p>
          {view === 'text' ? (
            <pre className="tss:min-h-140 tss:rounded-lg tss:border tss:border-border tss:bg-card tss:p-4 tss:font-mono tss:text-sm tss:whitespace-pre-wrap tss:wrap-anywhere">
              {data.text}
            </pre>
          ) : (
            <EmailFrame html={data.html} subject={data.subject} isDark={isDark} isNarrow={view === 'phone'} />
          )}
          <Samples variables={data.variables} />
        </>
      )}
      <p role="status" className="tss:sr-only">
        {isFetching ? words.rendering : ''}
      </p>
    </section>
  );
}

function Toggle({
  isOn,
  ...rest
}: {
  readonly isOn: boolean;
  readonly onClick: () => void;
  readonly children: string;
}) {
  return <Button size="sm" variant={isOn ? 'primary' : 'secondary'} aria-pressed={isOn} {...rest} />;
}

interface EmailFrameProps {
  readonly html: string;
  readonly subject: string;
  readonly isDark: boolean;
  readonly isNarrow: boolean;
}

/** A frame of the server with a policy of its own: it allows the inline styles of emails, and has no access to this page. */
function EmailFrame({ html, subject, isDark, isNarrow }: EmailFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  const { config } = rootRoute.useRouteContext();

  useEffect(() => {
    function hear(event: MessageEvent) {
      if (event.source === frame.current?.contentWindow && event.data === 'email-preview-ready') setReady(true);
    }
    window.addEventListener('message', hear);
    return () => window.removeEventListener('message', hear);
  }, []);

  useEffect(() => {
    // The frame has an origin that no other equals, so no target origin can be named. It gets no secret.
    if (isReady) frame.current?.contentWindow?.postMessage({ html, isDark }, '*');
  }, [isReady, html, isDark]);

  return (
    <iframe
      ref={frame}
      title={words.previewFrame(subject)}
      src={`${config.base}email-preview`}
      sandbox="allow-scripts"
      className={classNames(
        'tss:mx-auto tss:h-140 tss:w-full tss:rounded-lg tss:border tss:border-border tss:bg-card',
        isNarrow && 'tss:max-w-93.75',
      )}
    />
  );
}

function Samples({ variables }: Pick<EmailPreview, 'variables'>) {
  return (
    <Disclosure label={words.samples}>
      <dl className="tss:grid tss:gap-1 tss:pt-2">
        {variables.map(({ name, sample }) => (
          <div key={name} className="tss:flex tss:flex-wrap tss:gap-x-2">
            <dt className="tss:font-mono tss:text-xs tss:leading-5 tss:text-muted-foreground">{name}</dt>
            <dd className="tss:wrap-anywhere">{sample}</dd>
          </div>
        ))}
      </dl>
    </Disclosure>
  );
}
