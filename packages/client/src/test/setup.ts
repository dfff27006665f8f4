// Chunks that are loaded at first use: loading takes real time, which no test may wait for.
import '@tessera/protocol/errors';
import '../features/sign-in/password-flow.ts';
