import { modules, qrCode } from './qr.ts';

interface QrCodeProps {
  text: string;
  label: string;
}

/** Width and height in pixels (docs/contract/handler-pages.md#emails-and-authentication). */
const side = 200;

/** Scanners need a light margin of four modules. */
const border = 4;

/** Dark on light in dark schemes too, because many scanners read nothing else. */
export function QrCode({ text, label }: QrCodeProps) {
  const size = modules + 2 * border;
  const path = qrCode(text)
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x + border} ${y + border}h1v1h-1z` : [])))
    .join('');

  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width={side}
      height={side}
      shapeRendering="crispEdges"
      className="tss:rounded-md"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
