import { Select } from '@tessera/ui';
import { useId } from 'react';
import { overviewRoute } from './routes.ts';
import { ranges } from './search.ts';
import { words } from './words.ts';

/** Chooses the days of the charts below it. */
export function RangeSelect() {
  const id = useId();
  const { days = 31 } = overviewRoute.useSearch();
  const navigate = overviewRoute.useNavigate();
  return (
    <>
      <label htmlFor={id} className="tss:sr-only">
        {words.range}
      </label>
      <div className="tss:w-36">
        <Select
          id={id}
          value={days}
          onChange={event => {
            const chosen = ranges.find(range => String(range) === event.target.value);
            void navigate({ search: chosen === undefined || chosen === 31 ? {} : { days: chosen }, replace: true });
          }}
        >
          {ranges.map(range => (
            <option key={range} value={range}>
              {words.ranges[range]}
            </option>
          ))}
        </Select>
      </div>
    </>
  );
}
