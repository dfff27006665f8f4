// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { renderToString } from 'react-dom/server';
import { afterEach, describe, expect, test } from 'vitest';
import { ThemeProvider } from './theme-provider.tsx';
import { ThemeRoot } from './theme-root.tsx';

afterEach(() => {
  cleanup();
  document.body.removeAttribute('style');
  document.documentElement.removeAttribute('class');
  document.documentElement.removeAttribute('data-theme');
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
      `[data-tessera-theme=${screen.getByTestId('root').dataset.tesseraTheme}]{--tessera-primary:#123456;--tessera-primary-dark:`,
    );
    expect(root).toBe(screen.getByTestId('root'));
  });

  test('adds nothing without a theme', () => {
    const { container } = render(<ThemeProvider>words</ThemeProvider>);
    expect(container.innerHTML).toBe('words');
  });

  test('renders the same unescaped CSS on a server', () => {
    const html = renderToString(<ThemeProvider theme={{ radius: '2px' }}>words</ThemeProvider>);
    expect(html).toMatch(/^<style>\[data-tessera-theme=t\w+\]\{--tessera-radius:2px\}<\/style>words$/);
  });
});

describe('ThemeRoot', () => {
  test('follows the painted background on a page that declares no scheme', () => {
    document.body.style.backgroundColor = 'rgb(10, 10, 10)';
    render(<ThemeRoot data-testid="root" />);
    expect(screen.getByTestId('root').dataset.tesseraScheme).toBe('dark');
  });

  test('follows the color-scheme that an element around it declares, and its changes', async () => {
    const { container } = render(<ThemeRoot data-testid="root" />);
    expect(screen.getByTestId('root').dataset.tesseraScheme).toBe('light');

    container.style.colorScheme = 'dark';
    await waitFor(() => expect(screen.getByTestId('root').dataset.tesseraScheme).toBe('dark'), { timeout: 20_000 });
  });

  test('follows the scheme that a meta element of the page declares', () => {
    document.head.innerHTML = '<meta name="color-scheme" content="dark">';
    render(<ThemeRoot data-testid="root" />);
    expect(screen.getByTestId('root').dataset.tesseraScheme).toBe('dark');
    document.head.innerHTML = '';
  });

  test('prefers a mark of the html element to the painted background, and the strongest of several marks', () => {
    document.body.style.backgroundColor = 'rgb(10, 10, 10)';
    document.documentElement.className = 'light';
    render(<ThemeRoot data-testid="class" />);
    expect(screen.getByTestId('class').dataset.tesseraScheme).toBe('light');

    document.documentElement.dataset.theme = 'dark';
    render(<ThemeRoot data-testid="attribute" />);
    expect(screen.getByTestId('attribute').dataset.tesseraScheme).toBe('dark');
  });
});
