import { expect, it } from 'vitest';
import { SignIn } from '../lazy/parts.tsx';
import { show } from '../test/show.tsx';
import { TesseraTheme } from './theme.tsx';

it('TesseraTheme sets colors and radius in a style element with the nonce', async () => {
  const theme = { light: { primary: '#123456' }, dark: { primary: '#abcdef' }, radius: '1rem' };
  const { container } = await show(
    <TesseraTheme theme={theme} nonce="n0nce">
      <SignIn />
    </TesseraTheme>,
  );
  const style = container.querySelector('style');
  const root = container.querySelector('.tessera-root');

  expect(style?.getAttribute('nonce') ?? style?.nonce).toBe('n0nce');
  expect(style?.textContent).toContain('--tessera-primary:#123456;--tessera-primary-dark:#abcdef');
  expect(style?.textContent).toContain('--tessera-radius:1rem');
  expect(style?.textContent).toContain(root?.getAttribute('data-tessera-theme'));
});

it('TesseraTheme refuses a value that is not a color', async () => {
  await expect(show(<TesseraTheme theme={{ light: { primary: 'red;}body{display:none' } }} />)).rejects.toThrow(
    TypeError,
  );
});
