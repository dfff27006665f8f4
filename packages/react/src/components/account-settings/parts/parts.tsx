import { Button, FormSummary, Skeleton } from '@tessera/ui';
import { type ReactNode, useId } from 'react';
import type { ReadState } from '../../../hooks/reader.ts';
import { errorWords } from '../../../words/error-words.ts';
import { useTranslate } from '../../../words/translate.tsx';

interface SectionProps {
  title: ReactNode;
  /** The heading of the page already has this title. */
  isAlone?: boolean;
  /** A sentence under the title. */
  text?: ReactNode;
  children?: ReactNode;
}

/** A part of a settings page with its own heading. */
export function Section({ title, isAlone = false, text, children }: SectionProps) {
  const id = useId();

  return (
    <section
      aria-labelledby={id}
      className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:justify-items-start tss:gap-4 tss:border-t tss:border-border tss:pt-6 tss:first:border-t-0 tss:first:pt-0"
    >
      {isAlone && (
        <h3 id={id} className="tss:sr-only">
          {title}
        </h3>
      )}
      {(!isAlone || text) && (
        <div className="tss:grid tss:gap-1 tss:wrap-anywhere">
          {!isAlone && (
            <h3 id={id} className="tss:font-semibold">
              {title}
            </h3>
          )}
          {text && <p className="tss:text-sm tss:text-pretty tss:text-muted-foreground">{text}</p>}
        </div>
      )}
      {children}
    </section>
  );
}

/** A sentence on why something is not possible. */
export function Hint({ children }: { children: ReactNode }) {
  return <p className="tss:text-sm tss:wrap-anywhere tss:text-muted-foreground">{children}</p>;
}

/** Rows with lines between them. */
export function Rows({ children, label }: { children: ReactNode; label: string }) {
  return (
    <ul aria-label={label} className="tss:grid tss:w-full tss:grid-cols-[minmax(0,1fr)]">
      {children}
    </ul>
  );
}

interface RowProps {
  children: ReactNode;
  actions?: ReactNode;
}

/** One row: a text and its actions. */
export function Row({ children, actions }: RowProps) {
  return (
    <li className="tss:flex tss:flex-wrap tss:items-center tss:justify-between tss:gap-x-4 tss:gap-y-2 tss:border-b tss:border-border tss:py-3 tss:first:pt-0 tss:last:border-b-0 tss:last:pb-0">
      <div className="tss:grid tss:min-w-0 tss:flex-1 tss:basis-56 tss:gap-1">{children}</div>
      {actions && <div className="tss:flex tss:flex-wrap tss:gap-2">{actions}</div>}
    </li>
  );
}

interface LoadedProps<Value> {
  reading: ReadState<Value>;
  children: (value: Value) => ReactNode;
}

/** The loaded value, a skeleton while it loads, or the failure with a retry button. */
export function Loaded<Value>({ reading, children }: LoadedProps<Value>) {
  const translate = useTranslate();
  if (reading.value !== undefined) return children(reading.value);
  if (reading.error === undefined) return <RowsSkeleton />;

  return (
    <div className="tss:grid tss:w-full tss:justify-items-start tss:gap-3">
      <FormSummary className="tss:w-full" title={translate('settings.failed')}>
        {errorWords(reading.error, translate)}
      </FormSummary>
      <Button variant="secondary" onClick={reading.retry}>
        {translate('action.retry')}
      </Button>
    </div>
  );
}

export function RowsSkeleton() {
  const translate = useTranslate();

  return (
    <div role="status" aria-label={translate('page.loading')} className="tss:grid tss:w-full tss:gap-3">
      <Skeleton className="tss:h-11" />
      <Skeleton className="tss:h-11" />
      <Skeleton className="tss:h-11" />
    </div>
  );
}

/** A name and a value in a list of facts. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd className="tss:min-w-0 tss:wrap-anywhere">{children}</dd>
    </>
  );
}

/** A list of facts. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    // Below each other where text is so large that no value would fit beside its name.
    <dl className="tss:grid tss:grid-cols-[auto_minmax(0,1fr)] tss:max-[18rem]:grid-cols-1 tss:gap-x-3 tss:gap-y-0.5 tss:text-sm tss:text-muted-foreground">
      {children}
    </dl>
  );
}
