import { type ComponentPropsWithoutRef, useState } from 'react';
import { classNames } from './class-names.ts';
import { UserRound } from './icons.tsx';

type AvatarProps = Omit<ComponentPropsWithoutRef<'span'>, 'children'> & {
  /** The image. The initials are shown when it is missing or does not load. */
  src?: string | null | undefined;
  /** Up to two letters (`initialsOf`). Without them an icon is shown. */
  initials?: string | undefined;
  /** The user's name for screen readers. Omit it beside a visible name. */
  label?: string;
  /** Width and height in pixels, default 34. */
  size?: number;
};

/** The round profile image of a user or team. */
function Avatar({ src, initials, label, size = 34, className, style, ...rest }: AvatarProps) {
  const [brokenSrc, setBrokenSrc] = useState<string>();
  const showsImage = src && src !== brokenSrc;

  return (
    <span
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
      className={classNames(
        'tessera-avatar tss:inline-grid tss:shrink-0 tss:place-items-center tss:overflow-hidden tss:rounded-full tss:select-none',
        'tss:bg-secondary tss:font-medium tss:leading-none tss:text-secondary-foreground tss:align-middle',
        'tss:forced-colors:border',
        className,
      )}
      style={{ width: size, height: size, fontSize: Math.round(size * 0.38), ...style }}
      {...rest}
    >
      {showsImage ? (
        <img
          src={src}
          alt=""
          // Hosts of profile images refuse or log foreign referrers.
          referrerPolicy="no-referrer"
          className="tss:block tss:size-full tss:object-cover"
          onError={() => setBrokenSrc(src)}
        />
      ) : (
        initials || <UserRound width="60%" height="60%" />
      )}
    </span>
  );
}

export { Avatar, type AvatarProps };
