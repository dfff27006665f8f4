import type { ProviderId } from '@tessera/client';
import { ExternalLink } from 'lucide-react';
import { CopyField } from '../../components/code/copy-field.tsx';
import { apiBaseUrl } from '../../config.ts';
import { rootRoute } from '../../routes/root.tsx';
import { words } from './words.ts';

/** The address that the owner registers at the provider. */
export function CallbackUrl({ id }: { readonly id: ProviderId }) {
  const { config } = rootRoute.useRouteContext();
  const url = `${apiBaseUrl(config, window.location.origin)}/api/v1/auth/oauth/callback/${id}`;
  return <CopyField label={words.callbackUrl} value={url} copyLabel={words.copyCallbackUrl} />;
}

interface ConsoleLinkProps {
  readonly name: string;
  readonly console: string;
}

/** Where the provider shows client ID, secret and callback URLs. */
export function ConsoleLink({ name, console }: ConsoleLinkProps) {
  return (
    <a
      href={console}
      target="_blank"
      rel="noreferrer"
      className="tss:inline-flex tss:items-center tss:gap-2 tss:justify-self-start tss:text-sm tss:underline tss:underline-offset-4"
    >
      {words.consoleLink(name)}
      <ExternalLink aria-hidden size={14} />
    </a>
  );
}
