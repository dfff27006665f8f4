import { Button, type ButtonProps } from '@tessera/ui';
import { useRole } from '../../data/owner.tsx';
import { words } from '../../words.ts';

/** A button that changes the project or leads to a change. It is disabled for a viewer, with the reason. */
export function ChangeButton(props: ButtonProps) {
  const isViewer = useRole() === 'viewer';
  return <Button {...props} {...(isViewer && { disabled: true, title: words.viewer.reason })} />;
}
