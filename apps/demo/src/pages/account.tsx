import './account.css';
import { useUser } from '@tessera/react';
import { type FormEvent, useState } from 'react';

/** The signed-in user, with a form for the name. */
export function Account() {
  const user = useUser({ or: 'redirect' });

  return (
    <main className="narrow page">
      <h1>Your account</h1>
      <NameForm displayName={user.displayName ?? ''} save={name => user.update({ displayName: name || null })} />
      <dl className="facts">
        <dt>Email</dt>
        <dd>{user.primaryEmail ?? 'none'}</dd>
        <dt>Member since</dt>
        <dd>{user.signedUpAt.toLocaleDateString('en', { dateStyle: 'long' })}</dd>
      </dl>
      <button type="button" className="button outline" onClick={() => void user.signOut()}>
        Sign out
      </button>
    </main>
  );
}

interface NameFormProps {
  displayName: string;
  save: (name: string) => Promise<void>;
}

type Progress = 'idle' | 'saving' | 'saved' | 'failed';

function NameForm({ displayName, save }: NameFormProps) {
  const [name, setName] = useState(displayName);
  const [progress, setProgress] = useState<Progress>('idle');

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (progress === 'saving') return;
    setProgress('saving');
    setProgress(
      await save(name.trim()).then<Progress, Progress>(
        () => 'saved',
        () => 'failed',
      ),
    );
  }

  return (
    <form className="inline-form" onSubmit={submit}>
      <label htmlFor="display-name">Display name</label>
      <div>
        <input
          id="display-name"
          value={name}
          maxLength={100}
          autoComplete="name"
          placeholder="What should we call you?"
          onChange={event => {
            setName(event.target.value);
            setProgress('idle');
          }}
        />
        <button type="submit" className="button" aria-disabled={progress === 'saving'}>
          Save
        </button>
      </div>
      <p role="status" className={progress === 'failed' ? 'problem' : 'quiet'}>
        {progressWords[progress]}
      </p>
    </form>
  );
}

const progressWords: Record<Progress, string> = {
  idle: '',
  saving: 'Saving …',
  saved: 'Saved.',
  failed: "This couldn't be saved. Your change is still in the field. Try again.",
};
