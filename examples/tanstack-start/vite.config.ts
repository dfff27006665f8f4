import { tanstackStart } from '@tanstack/react-start/plugin/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv } from 'vite';

export default defineConfig(({ mode }) => {
  // The server reads its variables from the environment. In development they are in .env.local.
  Object.assign(process.env, loadEnv(mode, import.meta.dirname, ['VITE_TESSERA_', 'TESSERA_']));
  return { plugins: [tanstackStart(), react()] };
});
