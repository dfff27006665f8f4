/** The value of `x-stack-client-version`. */
export const clientVersion = 'js @tessera/client@0.1.0';
