/** The colours of the built-in templates. Text has a contrast of at least 4.5 : 1 on page and card. */
export const palette = {
  light: { page: '#f4f4f5', card: '#ffffff', ink: '#18181b', quiet: '#5f6169', line: '#e4e4e7' },
  dark: { page: '#0c0c0e', card: '#18181b', ink: '#f4f4f5', quiet: '#a1a1aa', line: '#34343a' },
} as const;
