import type { CurrentUser } from '@tessera/client';
import { useTranslate } from '../../../words/translate.tsx';
import { AvatarPicture } from '../../user-button/user-avatar.tsx';
import { Section } from '../parts/parts.tsx';
import { EditableText } from './editable-text.tsx';
import { ImageEditor } from './image-editor.tsx';

/** Name and image of the user. */
export function Profile({ user }: { user: CurrentUser }) {
  const translate = useTranslate();

  return (
    <>
      <Section title={translate('profile.name')} text={translate('profile.nameHint')}>
        <EditableText
          label={translate('profile.name')}
          value={user.displayName}
          save={displayName => user.update({ displayName })}
        />
      </Section>
      <Section title={translate('profile.image')}>
        <ImageEditor
          picture={<AvatarPicture user={user} size={72} />}
          save={profileImageUrl => user.update({ profileImageUrl })}
          remove={user.profileImageUrl ? () => user.update({ profileImageUrl: null }) : undefined}
        />
      </Section>
    </>
  );
}
