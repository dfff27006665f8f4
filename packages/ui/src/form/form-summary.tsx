import { type ComponentPropsWithoutRef, forwardRef, type ReactNode } from 'react';
import { classNames } from '../class-names.ts';
import { TriangleAlert } from '../icons.tsx';

/** One problem of a form. With the id of a field it becomes a link to that field. */
type FormProblem = { message: ReactNode; fieldId?: string };

type FormSummaryProps = Omit<ComponentPropsWithoutRef<'div'>, 'title'> & {
  title: ReactNode;
  problems?: readonly FormProblem[];
};

/** The problems of a whole form. Announced when it appears; its ref can receive the focus. */
const FormSummary = forwardRef<HTMLDivElement, FormSummaryProps>(function FormSummary(
  { title, problems = [], className, children, ...rest },
  ref,
) {
  return (
    <div
      ref={ref}
      role="alert"
      tabIndex={-1}
      className={classNames(
        'tessera-form-summary tss:flex tss:gap-2.5 tss:rounded-md tss:border tss:border-destructive/40 tss:bg-destructive/8',
        'tss:p-3 tss:text-sm tss:text-start tss:text-card-foreground',
        className,
      )}
      {...rest}
    >
      <TriangleAlert aria-hidden className="tss:mt-0.5 tss:size-4 tss:shrink-0 tss:text-destructive" />
      <div className="tss:grid tss:min-w-0 tss:gap-1 tss:wrap-anywhere">
        <p className="tss:font-medium">{title}</p>
        {problems.length > 0 && (
          <ul className="tss:grid tss:gap-1">
            {problems.map((problem, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: problems have no identity and no state
              <li key={index} className="tss:block">
                <Problem {...problem} />
              </li>
            ))}
          </ul>
        )}
        {children}
      </div>
    </div>
  );
});

function Problem({ message, fieldId }: FormProblem) {
  if (!fieldId) return <>{message}</>;

  return (
    <a
      href={`#${fieldId}`}
      className="tss:cursor-pointer tss:underline tss:underline-offset-4"
      onClick={event => {
        // The app's router would treat a hash in the URL as a page.
        event.preventDefault();
        document.getElementById(fieldId)?.focus();
      }}
    >
      {message}
    </a>
  );
}

export { type FormProblem, FormSummary, type FormSummaryProps };
