// Chunks that are loaded at first use: loading takes real time, which no test may wait for.
import '@tessera/protocol/errors';
import '../features/app-flows.ts';
import '../features/account/current-user-objects.ts';
import '../features/projects/owned-projects-flow.ts';
import '../features/projects/project-object.ts';
import '../features/account/not-signed-in.ts';
import '../features/account/passkey-registration-flow.ts';
import '../transport/failed-response.ts';
import '../features/sign-in/anonymous.ts';
import '../features/sign-in/oauth.ts';
import '../features/sign-in/oauth-start.ts';
import '../features/sign-in/passkey.ts';
import '../platform/lease.ts';
import '../navigation/navigation.ts';
import '../navigation/redirect-loop.ts';
import '../session/stores/next-store.ts';
import '../session/stores/request-store.ts';
