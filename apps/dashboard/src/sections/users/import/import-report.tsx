import type { ImportedUser, ImportedUserResult } from '@tessera/client';
import type { ImportFile } from '@tessera/client/import-file';
import { Button, saveFile } from '@tessera/ui';
import { Download } from 'lucide-react';
import { Panel } from '../../../components/page/panel.tsx';
import { useProject } from '../../../data/owner.tsx';
import { csvCell } from '../../../files/csv.ts';
import { reasonWords } from './reason-words.ts';
import { countSignInWays } from './sign-in-ways.ts';
import { words } from './words.ts';

const shownMax = 100;
const statuses = ['created', 'updated', 'skipped', 'failed'] as const;

interface ImportReportProps {
  readonly file: ImportFile;
  /** The users of the rows, as they were sent. */
  readonly users: readonly ImportedUser[];
  readonly results: readonly ImportedUserResult[];
  readonly isDryRun: boolean;
  readonly isRunning: boolean;
}

/** What happened to the rows, and the rows with problems as a file that can be corrected and imported. */
export function ImportReport({ file, users, results, isDryRun, isRunning }: ImportReportProps) {
  const problems = results.flatMap(({ status, reason }, index) =>
    reason === null ? [] : [{ index, status, reason: reasonWords(reason) }],
  );
  const names = isDryRun ? words.dryStatus : words.status;

  function download() {
    const head = [...file.columns, 'reason'].map(csvCell).join(',');
    const lines = problems.map(({ index, reason }) => {
      const cells = file.columns.map(column => textOf(file.rows[index]?.[column]));
      return [...cells, reason].map(csvCell).join(',');
    });
    saveFile('users-not-imported.csv', [[head, ...lines, ''].join('\r\n')], 'text/csv');
  }

  return (
    <Panel title={isDryRun ? words.dryResult : words.result}>
      <div role={isRunning ? undefined : 'status'}>
        <ul className="tss:flex tss:flex-wrap tss:gap-x-6 tss:gap-y-1 tss:text-sm">
          {statuses.map(status => (
            <li key={status}>
              <strong>{results.filter(result => result.status === status).length.toLocaleString('en')}</strong>{' '}
              {names[status]}
            </li>
          ))}
        </ul>
        <SignInWays users={users} results={results} isDryRun={isDryRun} />
      </div>
      {problems.length > 0 && (
        <>
          <div>
            <table aria-label={words.problems} className="tss:w-full tss:text-sm">
              <thead>
                <tr className="tss:border-b tss:border-border tss:text-start tss:text-xs tss:text-muted-foreground">
                  <th className="tss:py-2 tss:pe-4 tss:text-start">{words.row}</th>
                  <th className="tss:py-2 tss:text-start">{words.reason}</th>
                </tr>
              </thead>
              <tbody>
                {problems.slice(0, shownMax).map(({ index, status, reason }) => (
                  <tr key={index} className="tss:border-b tss:border-border">
                    <td className="tss:py-2 tss:pe-4 tss:align-top">{index + 1}</td>
                    <td className="tss:py-2 tss:wrap-anywhere">
                      {names[status]}: {reason}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {problems.length > shownMax && <p className="tss:text-sm">{words.more(problems.length - shownMax)}</p>}
          <Button variant="secondary" size="sm" className="tss:justify-self-start" onClick={download}>
            <Download aria-hidden size={16} />
            {words.download}
          </Button>
        </>
      )}
    </Panel>
  );
}

/** How the created users can sign in, so that an owner sees before the import whether the users can come back. */
function SignInWays({ users, results, isDryRun }: Pick<ImportReportProps, 'users' | 'results' | 'isDryRun'>) {
  const { config } = useProject();
  const counts = countSignInWays(users, results, config);
  if (counts.length === 0) return null;
  const cannot = counts.some(({ way }) => way === 'none');
  return (
    <div className="tss:mt-4 tss:grid tss:gap-1 tss:text-sm">
      <h3 className="tss:font-medium">{isDryRun ? words.wouldSignIn : words.signIn}</h3>
      <ul className="tss:flex tss:flex-wrap tss:gap-x-6 tss:gap-y-1">
        {counts.map(({ way, count }) => (
          <li key={way}>
            <strong>{count.toLocaleString('en')}</strong> {words.ways[way]}
          </li>
        ))}
      </ul>
      {cannot && <p className="tss:text-muted-foreground">{words.cannotSignIn}</p>}
    </div>
  );
}

function textOf(cell: ImportFile['rows'][number][string] | undefined): string {
  if (cell === undefined || cell === null) return '';
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell);
}
