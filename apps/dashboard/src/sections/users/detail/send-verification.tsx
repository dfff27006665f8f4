import { DialogForm } from '../../../components/form/dialog-form.tsx';
import { EditDialog } from '../../../components/form/edit-dialog.tsx';
import { useForm } from '../../../components/form/use-form.ts';
import type { Channel } from '../queries.ts';
import { AppPageField, useAppPage } from './access/app-page-field.tsx';
import { channelWords } from './channel-words.ts';
import type { UserChange } from './use-user-change.ts';

interface SendVerificationProps {
  readonly channel: Channel;
  readonly apply: UserChange['apply'];
  readonly onClose: () => void;
}

/** Sends an email whose link verifies an address on a page of the app. */
export function SendVerification({ channel, apply, onClose }: SendVerificationProps) {
  const page = useAppPage();
  const form = useForm({
    initial: {},
    submit: async () => {
      const callbackUrl = `${page.handler}/email-verification`;
      await apply(() => channel.sendVerificationEmail({ callbackUrl }), channelWords.sent(channel.value));
      page.keep(callbackUrl);
      onClose();
    },
  });

  return (
    <EditDialog title={channelWords.sendTitle(channel.value)} onClose={onClose}>
      <DialogForm form={form} label={channelWords.sendNow} disabled={page.handler === undefined} onClose={onClose}>
        <p className="tss:text-sm tss:text-muted-foreground">{channelWords.sendText}</p>
        <AppPageField page={page} />
      </DialogForm>
    </EditDialog>
  );
}
