// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, test } from 'vitest';
import { ThemeProvider } from './theme-provider.tsx';
import { ThemeRoot } from './theme-root.tsx';

afterEach(() => {
  cleanup();
  document.body.removeAttribute('style');
  document.documentElement.removeAttribute('class');
});

describe('ThemeProvider', () => {
  test('adds a style element with the nonce, connects its roots to it, and adds no element around the children', () => {
    const { container } = render(
      <ThemeProvider theme={{ light: { primary: '#123456' } }} nonce="n0nce">
        <ThemeRoot data-testid="root" />
      </ThemeProvider>,
    );

    const [style, root] = [...container.children];
    expect(style?.tagName).toBe('STYLE');
    expect(style?.getAttribute('nonce')).toBe('n0nce');
    expect(style?.textContent).toContain(
      `[data-tessera-theme=${screen.getByTestId('root').dataset.tesseraTheme}]{--tessera-primary:light-dark(#123456,`,
    );
    expect(root).toBe(screen.getByTestId('root'));
  });

  test('adds nothing without a theme', () => {
    const { container } = render(<ThemeProvider>words</ThemeProvider>);
    expect(container.innerHTML).toBe('words');
  });

  test('renders the same unescaped CSS on a server', () => {
    const html = renderToString(<ThemeProvider theme={{ radius: '2px' }}>words</ThemeProvider>);
    expect(html).toMatch(
      /^<style>\[data-tessera-theme=(t\w+)\]\{--tessera-radius:2px\}@supports not \(color:light-dark\(red,red\)\)\{\[data-tessera-theme=\1\]\{--tessera-radius:2px\}\}<\/style>words$/,
    );
  });
});

describe('ThemeRoot', () => {
  test('follows the painted background on a page that declares no scheme', () => {
    document.body.style.backgroundColor = 'rgb(10, 10, 10)';
    render(<ThemeRoot data-testid="root" />);
    expect(screen.getByTestId('root').dataset.tesseraScheme).toBe('dark');
  });

  test('leaves the scheme to CSS on a page that declares dark', () => {
    document.documentElement.className = 'dark';
    render(<ThemeRoot data-testid="root" />);
    expect(screen.getByTestId('root').dataset.tesseraScheme).toBeUndefined();
  });
});
