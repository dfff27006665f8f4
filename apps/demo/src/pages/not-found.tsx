import { Link } from '../router.tsx';

export function NotFound() {
  return (
    <main className="narrow page">
      <h1>Nothing on this shelf</h1>
      <p>The address may be mistyped, or the page has moved.</p>
      <Link href="/" className="button">
        Back to the start
      </Link>
    </main>
  );
}
