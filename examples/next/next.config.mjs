/** @type {import('next').NextConfig} */
export default {
  // This folder is inside another project, whose files do not belong to the app.
  turbopack: { root: import.meta.dirname },
};
