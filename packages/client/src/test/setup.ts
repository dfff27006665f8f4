// Chunks that are loaded at first use: loading takes real time, which no test may wait for.
import '@tessera/protocol/errors';
import '../features/app-flows.ts';
import '../features/current-user-objects.ts';
import '../features/owned-projects-flow.ts';
import '../features/passkey-registration-flow.ts';
import '../features/sign-in/anonymous-flow.ts';
import '../features/sign-in/oauth-flow.ts';
import '../features/sign-in/oauth-start.ts';
import '../features/sign-in/passkey-flow.ts';
import '../platform/lease.ts';
import '../redirect-loop.ts';
import '../session/stores/next-store.ts';
import '../session/stores/request-store.ts';
