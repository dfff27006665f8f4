import { act, type ReactNode } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, vi } from 'vitest';

interface PageRoot {
  readonly render: (node: ReactNode) => void;
  /** The element that contains what is rendered. */
  readonly element: () => HTMLElement;
}

/** A React root for each test of the file that calls this at its top. */
export function pageRoot(): PageRoot {
  let element: HTMLElement;
  let root: Root;
  beforeEach(() => {
    vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
    element = document.body.appendChild(document.createElement('div'));
    root = createRoot(element);
  });
  afterEach(() => {
    act(() => root.unmount());
    element.remove();
    vi.unstubAllGlobals();
  });
  return { render: node => root.render(node), element: () => element };
}
