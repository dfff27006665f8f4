import { useQuery } from '@tanstack/react-query';
import type { MessageAudienceCount } from '@tessera/client';
import { Field, Input, Select } from '@tessera/ui';
import { TextArea } from '../../../components/form/text-area.tsx';
import { Panel } from '../../../components/page/panel.tsx';
import { Problem } from '../../../components/page/problem.tsx';
import { useProject } from '../../../data/owner.tsx';
import { TeamPicker } from '../../teams/team-picker.tsx';
import { audienceQuery } from '../queries.ts';
import { type AudienceValues, audienceDays, audienceOf } from './audience.ts';
import { words } from './words.ts';

export type Category = keyof typeof words.categories;

interface AudiencePanelProps {
  readonly values: AudienceValues;
  readonly category: Category;
  readonly onChange: (changes: Partial<AudienceValues>) => void;
  readonly onCategory: (category: Category) => void;
}

/** The audience of a message, and its current number of users. */
export function AudiencePanel({ values, category, onChange, onCategory }: AudiencePanelProps) {
  return (
    <Panel title={words.audience}>
      <div className="tss:grid tss:gap-4 tss:sm:grid-cols-2">
        <Field label={words.audienceType}>
          <Select
            value={values.type}
            onChange={event => onChange({ type: event.target.value as AudienceValues['type'] })}
          >
            {Object.entries(words.audiences).map(([id, label]) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={words.category}>
          <Select value={category} onChange={event => onCategory(event.target.value as Category)}>
            {Object.entries(words.categories).map(([id, label]) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </Select>
        </Field>
      </div>
      {values.type === 'team' && <TeamField values={values} onChange={onChange} />}
      {values.type === 'filter' && <FilterFields values={values} onChange={onChange} />}
      {values.type === 'users' && (
        <Field label={words.userIds} description={words.userIdsHint}>
          <TextArea
            dir="ltr"
            rows={4}
            spellCheck={false}
            className="tss:font-mono tss:text-sm"
            value={values.userIds}
            onChange={event => onChange({ userIds: event.target.value })}
          />
        </Field>
      )}
      <Count values={values} category={category} />
    </Panel>
  );
}

type FieldsProps = Pick<AudiencePanelProps, 'values' | 'onChange'>;

function TeamField({ values, onChange }: FieldsProps) {
  const chosen = values.teamId === '' ? undefined : values.teamId;
  return <TeamPicker label={words.team} value={chosen} onChange={id => onChange({ teamId: id ?? '' })} />;
}

function FilterFields({ values, onChange }: FieldsProps) {
  return (
    <div className="tss:grid tss:gap-4 tss:sm:grid-cols-2">
      <Field label={words.verified}>
        <Select
          value={values.verified}
          onChange={event => onChange({ verified: event.target.value as AudienceValues['verified'] })}
        >
          {Object.entries(words.verifiedChoices).map(([id, label]) => (
            <option key={id} value={id}>
              {label}
            </option>
          ))}
        </Select>
      </Field>
      {audienceDays.map(name => (
        <Field key={name} label={words[name]}>
          <Input type="date" value={values[name]} onChange={event => onChange({ [name]: event.target.value })} />
        </Field>
      ))}
    </div>
  );
}

function Count({ values, category }: Pick<AudiencePanelProps, 'values' | 'category'>) {
  const audience = audienceOf(values);
  const query = useQuery(audienceQuery(useProject(), audience, category));
  if (query.isLoadingError) return <Problem error={query.error} retry={query.refetch} />;
  return (
    <p role="status" className="tss:flex tss:min-h-6 tss:flex-wrap tss:gap-x-3 tss:text-sm">
      {audience === undefined ? (
        <span className="tss:text-muted-foreground">{words.incomplete}</span>
      ) : query.data ? (
        <Counted count={query.data} />
      ) : (
        words.counting
      )}
    </p>
  );
}

function Counted({ count: { reachable, withoutAddress, unsubscribed } }: { readonly count: MessageAudienceCount }) {
  return (
    <>
      <strong>{words.reaches(reachable)}</strong>
      {withoutAddress > 0 && <span className="tss:text-muted-foreground">{words.without(withoutAddress)}</span>}
      {unsubscribed > 0 && <span className="tss:text-muted-foreground">{words.unsubscribed(unsubscribed)}</span>}
    </>
  );
}
