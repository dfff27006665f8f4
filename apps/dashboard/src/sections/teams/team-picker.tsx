import { useQuery } from '@tanstack/react-query';
import { Avatar, Button, initialsOf } from '@tessera/ui';
import { useState } from 'react';
import { PanelList } from '../../components/page/panel-list.tsx';
import { SearchField } from '../../components/table/search-field.tsx';
import { shownName } from '../../data/names/shown-name.ts';
import { useProject } from '../../data/owner.tsx';
import { teamChoicesQuery, teamQuery } from './queries.ts';
import { words } from './words.ts';

interface TeamPickerProps {
  readonly label: string;
  /** The id of the chosen team. */
  readonly value: string | undefined;
  readonly onChange: (id: string | undefined) => void;
}

/** Chooses a team: a search with its first matches, then the team with a button that takes the choice back. */
export function TeamPicker({ label, value, onChange }: TeamPickerProps) {
  if (value === undefined) return <Choices label={label} onChange={onChange} />;
  return <Chosen label={label} id={value} onRemove={() => onChange(undefined)} />;
}

function Choices({ label, onChange }: Pick<TeamPickerProps, 'label' | 'onChange'>) {
  const [text, setText] = useState<string>();
  const choices = useQuery({ ...teamChoicesQuery(useProject(), text ?? ''), enabled: text !== undefined });
  return (
    <div className="tss:grid tss:content-start tss:gap-2">
      <SearchField label={label} value={text} onSearch={setText} />
      {text !== undefined && (
        <PanelList query={choices} itemKey={team => team.id} empty={words.picker.none(text)}>
          {team => (
            <>
              <Avatar src={team.profileImageUrl} initials={initialsOf(team.displayName)} size={28} />
              <span className="tss:min-w-0 tss:flex-1 tss:wrap-anywhere">{shownName(team.displayName)}</span>
              <Button
                size="sm"
                variant="secondary"
                aria-label={words.picker.chooseNamed(shownName(team.displayName))}
                onClick={() => onChange(team.id)}
              >
                {words.picker.choose}
              </Button>
            </>
          )}
        </PanelList>
      )}
    </div>
  );
}

function Chosen({
  label,
  id,
  onRemove,
}: {
  readonly label: string;
  readonly id: string;
  readonly onRemove: () => void;
}) {
  const { data: team } = useQuery(teamQuery(useProject(), id));
  return (
    <fieldset className="tss:m-0 tss:grid tss:min-w-0 tss:content-start tss:gap-2 tss:border-0 tss:p-0">
      <legend className="tss:mb-2 tss:p-0 tss:text-sm tss:font-medium">{label}</legend>
      <span className="tss:flex tss:min-h-11 tss:items-center tss:gap-3">
        <span className="tss:min-w-0 tss:flex-1 tss:wrap-anywhere">{team ? shownName(team.displayName) : id}</span>
        <Button size="sm" variant="secondary" onClick={onRemove}>
          {words.picker.another}
        </Button>
      </span>
    </fieldset>
  );
}
