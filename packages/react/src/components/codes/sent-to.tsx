import { Button, CardDescription } from '@tessera/ui';
import { useTranslate } from '../../words/translate.tsx';

interface SentToProps {
  /** The sentence that ends with the address. */
  text: string;
  email: string;
  /** Default: the address cannot be changed. */
  change?: (() => void) | undefined;
}

/** Where an email was sent, and a button that goes back to the address. */
export function SentTo({ text, email, change }: SentToProps) {
  const translate = useTranslate();
  return (
    <CardDescription>
      {text} <strong className="tss:font-medium tss:text-card-foreground tss:wrap-anywhere">{email}</strong>{' '}
      {change && (
        <Button
          variant="link"
          aria-label={translate('edit.label', { label: translate('field.email') })}
          onClick={change}
        >
          {translate('edit.change')}
        </Button>
      )}
    </CardDescription>
  );
}
