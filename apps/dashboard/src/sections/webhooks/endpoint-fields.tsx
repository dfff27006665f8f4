import { useQuery } from '@tanstack/react-query';
import { Checkbox, Field, Input, Skeleton } from '@tessera/ui';
import type { Form } from '../../components/form/use-form.ts';
import { Problem } from '../../components/page/problem.tsx';
import { useProject } from '../../data/owner.tsx';
import type { EndpointValues } from './endpoint-form.ts';
import { eventTypesQuery } from './queries.ts';
import { words } from './words.ts';

/** URL, description and events of an endpoint. */
export function EndpointFields({ form }: { readonly form: Form<EndpointValues> }) {
  return (
    <>
      <Field label={words.url} description={words.urlHint} error={form.errors.url}>
        <Input
          type="url"
          dir="ltr"
          autoComplete="off"
          value={form.values.url}
          onChange={event => form.set('url', event.target.value)}
        />
      </Field>
      <Field label={words.descriptionLabel}>
        <Input
          autoComplete="off"
          value={form.values.description}
          onChange={event => form.set('description', event.target.value)}
        />
      </Field>
      <EventPicker form={form} />
    </>
  );
}

function EventPicker({ form }: { readonly form: Form<EndpointValues> }) {
  const types = useQuery(eventTypesQuery(useProject()));
  const { receivesAll, eventTypes } = form.values;
  return (
    <fieldset className="tss:grid tss:min-w-0">
      <legend className="tss:text-sm tss:font-medium">{words.events}</legend>
      <Checkbox
        label={words.everyEvent}
        checked={receivesAll}
        onChange={event => form.set('receivesAll', event.target.checked)}
      />
      {!receivesAll && types.isPending && <Skeleton className="tss:h-40" />}
      {!receivesAll && types.isLoadingError && <Problem error={types.error} retry={types.refetch} />}
      {!receivesAll && (
        <div className="tss:grid tss:gap-x-4 tss:sm:grid-cols-2">
          {types.data?.map(type => (
            <Checkbox
              key={type}
              label={<code className="tss:font-mono tss:text-xs tss:wrap-anywhere">{type}</code>}
              checked={eventTypes.includes(type)}
              onChange={event =>
                form.set(
                  'eventTypes',
                  event.target.checked ? [...eventTypes, type] : eventTypes.filter(one => one !== type),
                )
              }
            />
          ))}
        </div>
      )}
      {form.errors.eventTypes && (
        <p role="alert" className="tss:text-sm tss:text-destructive">
          {form.errors.eventTypes}
        </p>
      )}
    </fieldset>
  );
}
