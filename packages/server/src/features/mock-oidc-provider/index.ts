export { mockProviderSecret } from './client-secret.ts';
export { createMockProvider, type MockProvider } from './mock-provider.ts';
