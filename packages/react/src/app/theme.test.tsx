import { expect, it } from 'vitest';
import { SignIn } from '../lazy/parts.tsx';
import { show } from '../test/show.tsx';
import { TesseraTheme } from './theme.tsx';

it('gives colours and corners to the pages below it, in a marked style element', async () => {
  const theme = { light: { primary: '#123456' }, dark: { primary: '#abcdef' }, radius: '1rem' };
  const { container } = await show(
    <TesseraTheme theme={theme} nonce="n0nce">
      <SignIn />
    </TesseraTheme>,
  );
  const style = container.querySelector('style');
  const root = container.querySelector('.tessera-root');

  expect(style?.getAttribute('nonce') ?? style?.nonce).toBe('n0nce');
  expect(style?.textContent).toContain('--tessera-primary:light-dark(#123456,#abcdef)');
  expect(style?.textContent).toContain('--tessera-radius:1rem');
  expect(style?.textContent).toContain(root?.getAttribute('data-tessera-theme'));
});

it('refuses what is not a colour', async () => {
  await expect(show(<TesseraTheme theme={{ light: { primary: 'red;}body{display:none' } }} />)).rejects.toThrow(
    TypeError,
  );
});
