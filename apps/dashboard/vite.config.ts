import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/**
 * sonner adds its styles by script when it is loaded, which the content security policy refuses. The stylesheet is
 * imported by src/styles.css instead.
 */
const sonnerWithoutStyleElement: Plugin = {
  name: 'sonner-without-style-element',
  transform(code, id) {
    if (!/[\\/]sonner[\\/]dist[\\/]index\.mjs$/.test(id)) return undefined;
    const stripped = code.replace(/^__insertCSS\("[^\n]*"\);?$/m, '');
    if (stripped === code) throw new Error('sonner no longer calls __insertCSS; look at how it adds its styles');
    return { code: stripped, map: null };
  },
};

export default defineConfig({
  // Relative addresses. The server writes its own path in front of those in index.html.
  base: './',
  plugins: [react(), tailwindcss(), sonnerWithoutStyleElement],
  // Sources of our packages: one copy of the component set for the dashboard and the sign-in pages.
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  build: { target: 'es2022', outDir: '../../packages/server/dashboard-dist', emptyOutDir: true },
});
