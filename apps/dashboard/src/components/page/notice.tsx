import { MessageCard, Page } from '@tessera/ui';
import type { ComponentProps } from 'react';

/** A message that fills the window, for states without the shell. */
export function Notice(props: ComponentProps<typeof MessageCard>) {
  return (
    <Page fullPage>
      <MessageCard {...props} />
    </Page>
  );
}
