import type { NextConfig } from 'next';

const nextConfig: NextConfig = {
  // As in a new app of create-next-app: what depends on the request is rendered below a <Suspense>.
  cacheComponents: true,
  partialPrefetching: true,
  // This folder is inside another project, whose files do not belong to the app.
  turbopack: { root: import.meta.dirname },
};

export default nextConfig;
