import type { CurrentUser } from '@tessera/client';
import { useSay } from '../../../words/say.tsx';
import { AvatarPicture } from '../../user-button/user-avatar.tsx';
import { Section } from '../parts.tsx';
import { EditableText } from './editable-text.tsx';
import { ImageEditor } from './image-editor.tsx';

/** Name and picture of the user. */
export function Profile({ user }: { user: CurrentUser }) {
  const say = useSay();

  return (
    <>
      <Section title={say('profile.name')} text={say('profile.nameHint')}>
        <EditableText
          label={say('profile.name')}
          value={user.displayName}
          save={displayName => user.update({ displayName })}
        />
      </Section>
      <Section title={say('profile.image')}>
        <ImageEditor
          picture={<AvatarPicture user={user} size={72} />}
          save={profileImageUrl => user.update({ profileImageUrl })}
          remove={user.profileImageUrl ? () => user.update({ profileImageUrl: null }) : undefined}
        />
      </Section>
    </>
  );
}
