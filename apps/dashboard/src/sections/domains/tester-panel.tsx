import { decideTrust } from '@tessera/client/internals';
import { Badge, Field, Input } from '@tessera/ui';
import { useState } from 'react';
import { Panel } from '../../components/page/panel.tsx';
import { useProject } from '../../data/owner.tsx';
import { words } from './words.ts';

/** Explains whether a URL is trusted, while it is typed. */
export function TesterPanel() {
  const { config } = useProject();
  const [url, setUrl] = useState('');
  const text = url.trim();
  const verdict = text === '' ? undefined : decideTrust(text, config);

  return (
    <Panel title={words.tester} description={words.testerText}>
      <Field label={words.url}>
        <Input
          type="url"
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          value={url}
          onChange={event => setUrl(event.target.value)}
        />
      </Field>
      <div role="status" className="tss:flex tss:min-h-11 tss:flex-wrap tss:items-center tss:gap-2 tss:text-sm">
        {verdict && (
          <>
            <Badge tone={verdict.isTrusted ? 'primary' : 'destructive'}>
              {verdict.isTrusted ? words.trusted : words.refused}
            </Badge>
            <span className="tss:min-w-0 tss:wrap-anywhere">{words.verdict[verdict.reason](verdict.subject)}</span>
          </>
        )}
      </div>
    </Panel>
  );
}
