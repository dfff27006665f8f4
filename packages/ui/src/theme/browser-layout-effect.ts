import { useEffect, useLayoutEffect } from 'react';

/** `useLayoutEffect` without the warning that React 18 prints when it renders on a server. */
const useBrowserLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect;

export { useBrowserLayoutEffect };
