import { createFileRoute } from '@tanstack/react-router';
import { TesseraHandler } from '@tessera/react/tanstack-router';

/** Sign-in, sign-up, account settings and the other pages. */
export const Route = createFileRoute('/handler/$')({ component: () => <TesseraHandler fullPage /> });
