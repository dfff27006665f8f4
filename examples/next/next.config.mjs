/** @type {import('next').NextConfig} */
export default {
  // This folder lies inside another project, whose files are not the app's.
  turbopack: { root: import.meta.dirname },
};
