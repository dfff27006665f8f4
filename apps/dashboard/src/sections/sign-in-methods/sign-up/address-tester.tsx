import type { SignUpRestrictions } from '@tessera/client';
import { Badge, Field } from '@tessera/ui';
import { useState } from 'react';
import { EmailInput } from '../../../components/form/email-input.tsx';
import { useProject } from '../../../data/owner.tsx';
import { words } from '../words.ts';
import { explainSignUp } from './entries.ts';

/** Explains whether an address can sign up, while it is typed. */
export function AddressTester({ restrictions }: { readonly restrictions: SignUpRestrictions }) {
  const { signUpEnabled } = useProject().config;
  const [address, setAddress] = useState('');
  const verdict = explainSignUp(address, restrictions, signUpEnabled);

  return (
    <div className="tss:grid tss:gap-2">
      <Field label={words.restrictions.tester} description={words.restrictions.testerHint}>
        <EmailInput
          spellCheck={false}
          placeholder="ada@example.com"
          value={address}
          onChange={event => setAddress(event.target.value)}
        />
      </Field>
      <div role="status" className="tss:flex tss:min-h-11 tss:flex-wrap tss:items-center tss:gap-2 tss:text-sm">
        {verdict && (
          <>
            <Badge tone={verdict.isAllowed ? 'primary' : 'destructive'}>
              {verdict.isAllowed ? words.restrictions.can : words.restrictions.cannot}
            </Badge>
            <span className="tss:min-w-0 tss:wrap-anywhere">
              {words.restrictions.verdict[verdict.reason](verdict.entry)}
            </span>
          </>
        )}
      </div>
    </div>
  );
}
