import type { Icon } from './provider-looks.ts';

/** The mark of a provider. Shown beside its name. */
export function ProviderIcon({ icon }: { icon: Icon }) {
  return (
    <svg viewBox="0 0 24 24" aria-hidden className="tss:size-5 tss:shrink-0 tss:fill-current">
      {icon.map(({ path, color }) => (
        <path key={path} d={path} fill={color} fillRule="evenodd" />
      ))}
    </svg>
  );
}
