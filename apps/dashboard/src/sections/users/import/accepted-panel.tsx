import { importFields } from '@tessera/client/import-file';
import { Button, saveFile } from '@tessera/ui';
import { Download } from 'lucide-react';
import { Panel } from '../../../components/page/panel.tsx';
import { acceptedWords } from './accepted-words.ts';
import { sampleFile } from './sample-file.ts';
import { words } from './words.ts';

/** What an import file may contain, before one is chosen. */
export function AcceptedPanel() {
  return (
    <Panel title={acceptedWords.title} description={acceptedWords.description} actions={<SampleButton />}>
      <ul aria-label={acceptedWords.columns} className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:text-sm">
        {importFields.map(field => (
          <li
            key={field}
            className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-x-4 tss:border-t tss:border-border tss:py-2 tss:first:border-t-0 tss:sm:grid-cols-[16rem_minmax(0,1fr)]"
          >
            <code className="tss:font-mono tss:text-xs tss:leading-5">{field}</code>
            <span className="tss:grid tss:min-w-0">
              {words.fields[field]}
              <span className="tss:text-xs tss:text-muted-foreground tss:wrap-anywhere">
                {acceptedWords.values[field]}
              </span>
            </span>
          </li>
        ))}
      </ul>
      <div className="tss:grid tss:gap-2 tss:border-t tss:border-border tss:pt-4 tss:text-sm">
        <h3 className="tss:font-medium">{acceptedWords.hashes}</h3>
        <ul className="tss:grid tss:gap-1">
          {acceptedWords.hashFormats.map(({ name, form, limit }) => (
            <li key={name} className="tss:block tss:wrap-anywhere">
              {name}: <code className="tss:font-mono tss:text-xs">{form}</code>, {limit}
            </li>
          ))}
        </ul>
        <p className="tss:text-muted-foreground">{acceptedWords.hashesText}</p>
      </div>
    </Panel>
  );
}

function SampleButton() {
  return (
    <Button variant="secondary" size="sm" onClick={() => saveFile('users-sample.csv', [sampleFile], 'text/csv')}>
      <Download aria-hidden size={16} />
      {acceptedWords.sample}
    </Button>
  );
}
