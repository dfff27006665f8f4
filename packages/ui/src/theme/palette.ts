/** The colors of the component set, by their names in a theme. */
type ColorName = keyof typeof palette;

/** The default colors: light, then dark. `styles.css` repeats them in CSS, and a test compares the two. */
const palette = {
  background: ['#f5f6f8', '#0c0e13'],
  foreground: ['#14171f', '#eceef2'],
  card: ['#ffffff', '#14171e'],
  cardForeground: ['#14171f', '#eceef2'],
  popover: ['#ffffff', '#191d25'],
  popoverForeground: ['#14171f', '#eceef2'],
  primary: ['#2340a0', '#95a9fc'],
  primaryForeground: ['#ffffff', '#0b1130'],
  secondary: ['#e9ebf0', '#262b36'],
  secondaryForeground: ['#1c2130', '#eceef2'],
  muted: ['#eff1f4', '#1c2029'],
  mutedForeground: ['#596070', '#a2a9b6'],
  accent: ['#eceffa', '#232a3d'],
  accentForeground: ['#1c2130', '#eceef2'],
  destructive: ['#b3261e', '#ff9189'],
  destructiveForeground: ['#ffffff', '#2b0a07'],
  border: ['#e0e3e9', '#2a2f3a'],
  input: ['#858c9b', '#6c7484'],
  ring: ['#3f5fd0', '#95a9fc'],
} as const;

export { type ColorName, palette };
