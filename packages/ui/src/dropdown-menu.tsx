import { DropdownMenu as Menu } from 'radix-ui';
import { type ComponentPropsWithoutRef, type ComponentRef, forwardRef } from 'react';
import { classNames } from './class-names.ts';
import { PortalRoot } from './theme/theme-root.tsx';

/** Holds the state of a menu. `open` and `onOpenChange` make it controlled. */
const DropdownMenu = Menu.Root;

/** Opens the menu; use it with a Button and `asChild`. */
const DropdownMenuTrigger = Menu.Trigger;

/** A group of related items. */
const DropdownMenuGroup = Menu.Group;

/** The content of the menu, rendered at the end of the document in the theme of its trigger. */
const DropdownMenuContent = forwardRef<
  ComponentRef<typeof Menu.Content>,
  ComponentPropsWithoutRef<typeof Menu.Content>
>(function DropdownMenuContent({ className, sideOffset = 6, align = 'end', collisionPadding = 8, ...rest }, ref) {
  return (
    <Menu.Portal>
      <PortalRoot>
        <Menu.Content
          ref={ref}
          sideOffset={sideOffset}
          align={align}
          collisionPadding={collisionPadding}
          className={classNames(
            'tessera-menu tss:z-1100 tss:min-w-56 tss:max-w-80 tss:overflow-y-auto tss:rounded-lg tss:border tss:border-border tss:p-1',
            'tss:max-h-(--radix-dropdown-menu-content-available-height)',
            'tss:bg-popover tss:text-popover-foreground tss:elevation-menu tss:outline-none',
            'tss:animate-appear tss:motion-reduce:animate-none',
            className,
          )}
          {...rest}
        />
      </PortalRoot>
    </Menu.Portal>
  );
});

/** One item. `onSelect` is called for pointer and keyboard. */
const DropdownMenuItem = forwardRef<ComponentRef<typeof Menu.Item>, ComponentPropsWithoutRef<typeof Menu.Item>>(
  function DropdownMenuItem({ className, ...rest }, ref) {
    return (
      <Menu.Item
        ref={ref}
        className={classNames(
          'tessera-menu-item tss:flex tss:min-h-11 tss:items-center tss:gap-3 tss:rounded-md tss:px-3 tss:py-2 tss:text-sm',
          'tss:cursor-pointer tss:select-none tss:text-start tss:no-underline tss:outline-none',
          'tss:data-highlighted:bg-accent tss:data-highlighted:text-accent-foreground',
          'tss:forced-colors:data-highlighted:bg-[Highlight] tss:forced-colors:data-highlighted:text-[color:HighlightText]',
          'tss:data-disabled:cursor-not-allowed tss:data-disabled:opacity-50',
          'tss:[&_svg]:size-4 tss:[&_svg]:shrink-0 tss:[&_svg]:text-muted-foreground',
          className,
        )}
        {...rest}
      />
    );
  },
);

/** Text in a menu that cannot be selected, such as the name of the signed-in user. */
const DropdownMenuLabel = forwardRef<ComponentRef<typeof Menu.Label>, ComponentPropsWithoutRef<typeof Menu.Label>>(
  function DropdownMenuLabel({ className, ...rest }, ref) {
    return (
      <Menu.Label
        ref={ref}
        className={classNames('tessera-menu-label tss:px-3 tss:py-2 tss:text-sm tss:text-start', className)}
        {...rest}
      />
    );
  },
);

/** A line between groups. */
const DropdownMenuSeparator = forwardRef<
  ComponentRef<typeof Menu.Separator>,
  ComponentPropsWithoutRef<typeof Menu.Separator>
>(function DropdownMenuSeparator({ className, ...rest }, ref) {
  return (
    <Menu.Separator
      ref={ref}
      className={classNames(
        'tessera-menu-separator tss:-mx-1 tss:my-1 tss:h-px tss:bg-border tss:forced-colors:bg-[CanvasText]',
        className,
      )}
      {...rest}
    />
  );
});

export {
  DropdownMenu,
  DropdownMenuContent,
  DropdownMenuGroup,
  DropdownMenuItem,
  DropdownMenuLabel,
  DropdownMenuSeparator,
  DropdownMenuTrigger,
};
