export { createRunOnce, idempotencyResponsePurpose } from './run-once.ts';
