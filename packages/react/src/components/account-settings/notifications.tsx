import type { CurrentUser, NotificationCategory } from '@tessera/client';
import { Switch } from '@tessera/ui';
import { useSavedAtOnce } from '../../form/use-saved-at-once.ts';
import { useRead } from '../../hooks/use-read.ts';
import { useTranslate } from '../../words/translate.tsx';
import type { WordKey } from '../../words/words.ts';
import { Hint, Loaded, Row, Rows, Section } from './parts/parts.tsx';

/** The categories of email that the user wants. */
export function Notifications({ user }: { user: CurrentUser }) {
  const translate = useTranslate();
  const categories = useRead(user, 'listNotificationCategories');

  return (
    <Section isAlone title={translate('notifications.title')}>
      <Loaded reading={categories}>
        {list =>
          list.length === 0 ? (
            <Hint>{translate('notifications.none')}</Hint>
          ) : (
            <Rows label={translate('notifications.title')}>
              {list.map(category => (
                <CategoryRow key={category.id} category={category} />
              ))}
            </Rows>
          )
        }
      </Loaded>
    </Section>
  );
}

/** The categories of every project, whose names are words of developers. */
const categoryWords: Readonly<Record<string, WordKey | undefined>> = {
  Transactional: 'notifications.transactional',
  Marketing: 'notifications.marketing',
};

function CategoryRow({ category }: { category: NotificationCategory }) {
  const translate = useTranslate();
  const words = categoryWords[category.name];
  const { value, isSaving, choose, failure } = useSavedAtOnce(category.enabled, category.setEnabled);

  return (
    <Row>
      <Switch
        label={words === undefined ? category.name : translate(words)}
        description={category.canDisable ? undefined : translate('notifications.always')}
        checked={value}
        disabled={!category.canDisable}
        aria-busy={isSaving}
        onChange={choose}
      />
      {failure}
    </Row>
  );
}
