import { createFileRoute } from '@tanstack/react-router';
import { requireUser } from '../session';

/** Only signed-in users see the page: its data comes from the server. */
export const Route = createFileRoute('/account')({
  loader: ({ location }) => requireUser({ data: location.href }),
  component: Account,
});

function Account() {
  const { id, email } = Route.useLoaderData();
  return (
    <p>
      You are {email}, and your id is {id}.
    </p>
  );
}
