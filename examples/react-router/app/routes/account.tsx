import { data } from 'react-router';
import { requireSession } from '../tessera.server';
import type { Route } from './+types/account';

/** Runs on the server: only signed-in users see the page, and their data never waits for the browser. */
export async function loader({ request }: Route.LoaderArgs) {
  const { session, headers } = await requireSession(request);
  const user = await session.getUser();
  return data({ id: session.userId, email: user?.primaryEmail ?? null }, { headers });
}

export default function Account({ loaderData }: Route.ComponentProps) {
  return (
    <p>
      You are {loaderData.email}, and your id is {loaderData.id}.
    </p>
  );
}
