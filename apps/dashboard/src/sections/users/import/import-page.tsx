import { useQueryClient } from '@tanstack/react-query';
import { createLazyRoute } from '@tanstack/react-router';
import type { ImportedUserResult } from '@tessera/client';
import {
  guessMapping,
  type ImportFile,
  importedUserOf,
  importFields,
  type Mapping,
  readImportFile,
  withVerifiedAddress,
} from '@tessera/client/import-file';
import { Button, Checkbox, Field, FormSummary, Input, Select } from '@tessera/ui';
import { useEffect, useMemo, useRef, useState } from 'react';
import { ChangeButton } from '../../../components/form/change-button.tsx';
import { PageHeader } from '../../../components/page/page-header.tsx';
import { Panel } from '../../../components/page/panel.tsx';
import { ProgressBar } from '../../../components/progress-bar.tsx';
import { useProject } from '../../../data/owner.tsx';
import { problemWords } from '../../../data/problem-words.ts';
import { BackToUsers } from '../back-to-users.tsx';
import { usersKey } from '../queries.ts';
import { words as userWords } from '../words.ts';
import { AcceptedPanel } from './accepted-panel.tsx';
import { ImportReport } from './import-report.tsx';
import { runImport } from './run-import.ts';
import { withColumn } from './with-column.ts';
import { words } from './words.ts';

export const route = createLazyRoute('/owner/projects/$projectId/users/import')({ component: ImportPage });

const fileMaxBytes = 50 * 1024 * 1024;
const policies = ['skip', 'update', 'fail'] as const;

function ImportPage() {
  const [file, setFile] = useState<ImportFile>();
  const [problem, setProblem] = useState<string>();
  const [version, setVersion] = useState(0);

  async function open(chosen: File | undefined) {
    if (chosen === undefined) return;
    setProblem(undefined);
    setFile(undefined);
    setVersion(version + 1);
    try {
      if (chosen.size > fileMaxBytes) throw new Error(words.tooLarge);
      setFile(readImportFile(await chosen.text()));
    } catch (error) {
      setProblem(words.unreadable(error instanceof Error ? error.message : String(error)));
    }
  }

  return (
    <>
      <BackToUsers />
      <PageHeader title={words.title} description={words.description} />
      <Panel title={words.fileTitle}>
        <Field label={words.file} description={words.fileHint} error={problem}>
          <Input
            type="file"
            accept=".csv,.json,.jsonl,.ndjson,text/csv,application/json"
            onChange={event => void open(event.target.files?.[0])}
          />
        </Field>
      </Panel>
      {file === undefined ? <AcceptedPanel /> : <ImportSteps key={version} file={file} />}
    </>
  );
}

function ImportSteps({ file }: { readonly file: ImportFile }) {
  const [mapping, setMapping] = useState<Mapping>(() => guessMapping(file.columns));
  const [policy, setPolicy] = useState<(typeof policies)[number]>('skip');
  const [isTrusted, setTrusted] = useState(false);
  const users = useMemo(() => {
    const read = file.rows.map(row => importedUserOf(row, mapping));
    return isTrusted ? read.map(withVerifiedAddress) : read;
  }, [file, mapping, isTrusted]);
  const run = useImport();
  const start = (isDryRun: boolean) => void run.start({ users, options: { onConflict: policy, isDryRun } });

  return (
    <>
      <Panel title={words.columns} description={words.columnsHint}>
        <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-4 tss:sm:grid-cols-2 tss:xl:grid-cols-4">
          {file.columns.map(column => (
            <Field key={column} label={column}>
              <Select
                value={mapping[column] ?? ''}
                onChange={event => {
                  run.reset();
                  setMapping(
                    withColumn(
                      mapping,
                      column,
                      importFields.find(field => field === event.target.value),
                    ),
                  );
                }}
              >
                <option value="">{words.ignore}</option>
                {importFields.map(field => (
                  <option key={field} value={field}>
                    {words.fields[field]}
                  </option>
                ))}
              </Select>
            </Field>
          ))}
        </div>
        <Field label={words.conflict}>
          <Select
            value={policy}
            onChange={event => {
              run.reset();
              setPolicy(policies.find(one => one === event.target.value) ?? 'skip');
            }}
          >
            {policies.map(one => (
              <option key={one} value={one}>
                {words.conflicts[one]}
              </option>
            ))}
          </Select>
        </Field>
        <Checkbox
          label={
            <span className="tss:grid">
              {words.trust}
              <span className="tss:text-xs tss:text-muted-foreground">{words.trustHint}</span>
            </span>
          }
          checked={isTrusted}
          onChange={event => {
            run.reset();
            setTrusted(event.target.checked);
          }}
        />
        <ImportButtons run={run} total={users.length} onStart={start} />
      </Panel>
      {run.results.length > 0 && (
        <ImportReport
          file={file}
          users={run.users}
          results={run.results}
          isDryRun={run.isDryRun}
          isRunning={run.isRunning}
        />
      )}
    </>
  );
}

type Run = ReturnType<typeof useImport>;

function ImportButtons({ run, total, onStart }: { run: Run; total: number; onStart: (isDryRun: boolean) => void }) {
  const isPartial = run.results.length > 0 && run.results.length < total;
  return (
    <div className="tss:grid tss:gap-3">
      {run.failure !== undefined && <FormSummary title={problemWords(run.failure)} />}
      {(run.isRunning || isPartial) && (
        <div className="tss:grid tss:gap-1">
          <ProgressBar label={words.progress} value={run.results.length} max={total} />
          <p role="status" className="tss:text-sm tss:text-muted-foreground">
            {userWords.working(run.results.length, total)} {!run.isRunning && words.stopped}
          </p>
        </div>
      )}
      <div className="tss:flex tss:flex-wrap tss:gap-3">
        {run.isRunning ? (
          <Button variant="secondary" onClick={run.stop}>
            {words.stop}
          </Button>
        ) : (
          <>
            {isPartial && <ChangeButton onClick={run.resume}>{words.goOn}</ChangeButton>}
            <ChangeButton variant="secondary" onClick={() => onStart(true)}>
              {words.dryRun}
            </ChangeButton>
            <ChangeButton variant={isPartial ? 'secondary' : 'primary'} onClick={() => onStart(false)}>
              {words.run(total)}
            </ChangeButton>
          </>
        )}
      </div>
    </div>
  );
}

type Start = Pick<Parameters<typeof runImport>[0], 'users' | 'options'>;

/** The state of a running, stopped or finished import. Leaving the page stops it behind the batch that is sent. */
function useImport() {
  const project = useProject();
  const cache = useQueryClient();
  const [results, setResults] = useState<readonly ImportedUserResult[]>([]);
  const [started, setStarted] = useState<Start>();
  const [isRunning, setRunning] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const isStopped = useRef(false);
  useEffect(() => {
    isStopped.current = false;
    return () => {
      isStopped.current = true;
    };
  }, []);

  async function run(next: Start, before: readonly ImportedUserResult[]) {
    isStopped.current = false;
    setStarted(next);
    setResults(before);
    setFailure(undefined);
    setRunning(true);
    try {
      const send = project.app.importUsers;
      await runImport({ ...next, before, send, isStopped: () => isStopped.current, onProgress: setResults });
      await cache.invalidateQueries({ queryKey: usersKey(project) });
    } catch (error) {
      setFailure(error);
    } finally {
      setRunning(false);
    }
  }

  return {
    results,
    isRunning,
    failure,
    users: started?.users ?? [],
    isDryRun: started?.options.isDryRun === true,
    start: (next: Start) => run(next, []),
    resume: () => void (started && run(started, results)),
    stop: () => {
      isStopped.current = true;
    },
    reset: () => setResults([]),
  };
}
