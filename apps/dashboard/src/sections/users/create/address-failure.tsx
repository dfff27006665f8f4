import { Link } from '@tanstack/react-router';
import { KnownError } from '@tessera/client';
import { buttonClass, FormSummary } from '@tessera/ui';
import { FormFailure } from '../../../components/form/form-failure.tsx';
import { useProject } from '../../../data/owner.tsx';
import { problemWords } from '../../../data/problem-words.ts';

/** The words about a taken address. Only the dialog that creates a user loads them. */
const addressWords = { findUser: 'Find the other user' };

interface AddressFailureProps {
  readonly failure: unknown;
  /** Closes the dialog, which is above the list of users. */
  readonly onLeave: () => void;
}

/** Why an address was not saved. For a taken one it leads to the user who has it. */
export function AddressFailure({ failure, onLeave }: AddressFailureProps) {
  const project = useProject();
  const taken = takenAddressOf(failure);
  if (taken === undefined) return <FormFailure failure={failure} />;
  return (
    <FormSummary title={problemWords(failure)}>
      <Link
        to="/projects/$projectId/users"
        params={{ projectId: project.id }}
        search={{ q: taken }}
        className={buttonClass({ variant: 'link' })}
        onClick={onLeave}
      >
        {addressWords.findUser}
      </Link>
    </FormSummary>
  );
}

function takenAddressOf(failure: unknown): string | undefined {
  if (!KnownError.isKnownError(failure)) return undefined;
  if (failure.errorCode === 'USER_EMAIL_ALREADY_EXISTS') return failure.details.email;
  if (failure.errorCode !== 'CONTACT_CHANNEL_ALREADY_USED_FOR_AUTH_BY_SOMEONE_ELSE') return undefined;
  return failure.details.contact_channel_value ?? undefined;
}
