import { createLazyRoute } from '@tanstack/react-router';
import { passwordMinLength } from '@tessera/client/internals';
import { Button, Card, CardDescription, CardHeader, CardTitle, Field, isEmail, Page } from '@tessera/ui';
import { useState } from 'react';
import { EmailInput } from '../../components/form/email-input.tsx';
import { FormFailure } from '../../components/form/form-failure.tsx';
import { SecretInput } from '../../components/form/secret-input.tsx';
import { useForm } from '../../components/form/use-form.ts';
import { Notice } from '../../components/page/notice.tsx';
import { useDocumentTitle } from '../../data/browser/document-title.ts';
import { rootRoute } from '../../routes/root.tsx';
import { words as common } from '../../words.ts';
import { words } from './words.ts';

export const route = createLazyRoute('/first-owner')({ component: FirstOwnerPage });

function FirstOwnerPage() {
  useDocumentTitle(words.title);
  const { app, config } = rootRoute.useRouteContext();
  // The fragment is sent neither to a proxy nor in a Referer header.
  const [code] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('code'));
  // What the server wrote when the page was loaded: the account that the form creates does not change it.
  if (!config.isUnclaimed) {
    return (
      <Notice
        title={words.ownedTitle}
        primaryButtonText={words.signIn}
        primaryAction={() => app.redirectToSignIn({ noRedirectBack: true })}
      >
        {words.ownedText}
      </Notice>
    );
  }
  if (code === null) return <Notice title={words.noCodeTitle}>{words.noCodeText}</Notice>;
  return <OwnerForm code={code} />;
}

function OwnerForm({ code }: { readonly code: string }) {
  const { app } = rootRoute.useRouteContext();
  const form = useForm({
    initial: { email: '', password: '' },
    validate: ({ email, password }) => ({
      email: isEmail(email.trim()) ? undefined : common.form.emailWrong,
      password: password.length < passwordMinLength ? words.passwordShort : undefined,
    }),
    submit: ({ email, password }) => app.claimInstallation({ code, email: email.trim(), password }),
  });

  return (
    <Page fullPage>
      <Card>
        <CardHeader>
          <CardTitle>{words.title}</CardTitle>
          <CardDescription>{words.description}</CardDescription>
        </CardHeader>
        <form noValidate className="tss:grid tss:gap-5" onSubmit={form.onSubmit}>
          <FormFailure failure={form.failure} />
          <Field label={words.email} error={form.errors.email}>
            <EmailInput
              autoComplete="username"
              value={form.values.email}
              onChange={event => form.set('email', event.target.value)}
            />
          </Field>
          <Field label={words.password} description={words.passwordHint} error={form.errors.password}>
            <SecretInput
              autoComplete="new-password"
              value={form.values.password}
              onChange={event => form.set('password', event.target.value)}
            />
          </Field>
          <Button type="submit" size="lg" busy={form.isBusy}>
            {words.create}
          </Button>
        </form>
      </Card>
    </Page>
  );
}
