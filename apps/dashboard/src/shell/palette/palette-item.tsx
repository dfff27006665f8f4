import { Command } from 'cmdk';
import type { ReactNode } from 'react';

/** Commands with a heading. */
export function PaletteGroup({ heading, children }: { readonly heading: string; readonly children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="tss:[&[hidden]]:hidden tss:[&_[cmdk-group-heading]]:px-3 tss:[&_[cmdk-group-heading]]:py-2 tss:[&_[cmdk-group-heading]]:text-xs tss:[&_[cmdk-group-heading]]:text-muted-foreground"
    >
      {children}
    </Command.Group>
  );
}

interface PaletteItemProps {
  readonly value: string;
  /** Also match what is typed. */
  readonly keywords?: readonly string[];
  readonly icon: ReactNode;
  readonly onSelect: () => void;
  readonly children: ReactNode;
}

/** A command. */
export function PaletteItem({ icon, keywords = [], children, ...rest }: PaletteItemProps) {
  return (
    <Command.Item
      {...rest}
      keywords={[...keywords]}
      className="tss:flex tss:min-h-10 tss:cursor-pointer tss:items-center tss:gap-3 tss:rounded-md tss:px-3 tss:text-sm tss:data-[selected=true]:bg-accent tss:data-[selected=true]:text-accent-foreground tss:[&_svg]:size-4 tss:[&_svg]:shrink-0"
    >
      {icon}
      <span className="tss:line-clamp-1 tss:break-all">{children}</span>
    </Command.Item>
  );
}
