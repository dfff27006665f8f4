const width = 720;
const labelWidth = 210;
const valueWidth = 90;
const barHeight = 18;
const groupGap = 18;
const top = 56;
/** Told apart without color vision, and with enough contrast on white and on black. */
const colors = ['#0f6cbd', '#b35c00', '#5f6b7a'];

/**
 * A plot of bars in groups, as SVG. Every bar has its number, since groups differ by orders of magnitude; the bars of a
 * group share a scale.
 *
 * @param {{ title: string, groups: readonly { name: string, values: Readonly<Record<string, number>> }[] }} chart
 */
export function barChart({ title, groups }) {
  const subjects = [...new Set(groups.flatMap(({ values }) => Object.keys(values)))];
  const groupHeight = subjects.length * (barHeight + 4) + groupGap;
  const height = top + groups.length * groupHeight;
  const legend = subjects.map((subject, index) => {
    const x = 16 + index * 140;
    return `<rect x="${x}" y="32" width="12" height="12" fill="${colors[index]}"/>${text(x + 18, 42, subject)}`;
  });
  const bars = groups.flatMap(({ name, values }, group) => {
    const y = top + group * groupHeight;
    const largest = Math.max(...Object.values(values));
    const label = text(16, y + barHeight - 4, name);
    return [label, ...subjects.map((subject, index) => bar({ index, value: values[subject] ?? 0, largest, y }))];
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeText(title)}" font-family="system-ui, sans-serif" font-size="13">
<rect width="${width}" height="${height}" fill="#ffffff"/>
${text(16, 22, title, ' font-weight="600"')}
${[...legend, ...bars].join('\n')}
</svg>
`;
}

function bar({ index, value, largest, y }) {
  const barTop = y + index * (barHeight + 4);
  const length = Math.max(1, Math.round(((width - labelWidth - valueWidth) * value) / largest));
  const number = value.toLocaleString('en', { maximumFractionDigits: value < 100 ? 1 : 0 });
  return `<rect x="${labelWidth}" y="${barTop}" width="${length}" height="${barHeight}" fill="${colors[index]}"/>${text(labelWidth + length + 8, barTop + 14, number)}`;
}

function text(x, y, content, attributes = '') {
  return `<text x="${x}" y="${y}" fill="#1b1f24"${attributes}>${escapeText(content)}</text>`;
}

function escapeText(content) {
  return content.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`);
}
