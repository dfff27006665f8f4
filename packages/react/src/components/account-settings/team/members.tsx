import type { Team } from '@tessera/client';
import { useRead } from '../../../hooks/use-read.ts';
import { useTranslate } from '../../../words/translate.tsx';
import { AvatarPicture } from '../../user-button/user-avatar.tsx';
import { Loaded, Row, Rows, Section } from '../parts/parts.tsx';

/** The members of a team. */
export function Members({ team }: { team: Team }) {
  const translate = useTranslate();
  const members = useRead(team, 'listUsers');

  return (
    <Section title={translate('team.members')}>
      <Loaded reading={members}>
        {list => (
          <Rows label={translate('team.members')}>
            {list.map(({ id, teamProfile }) => (
              <Row key={id}>
                <span className="tss:flex tss:items-center tss:gap-3">
                  <AvatarPicture user={teamProfile} />
                  <bdi className={teamProfile.displayName ? 'tss:wrap-anywhere' : 'tss:text-muted-foreground'}>
                    {teamProfile.displayName || translate('team.noName')}
                  </bdi>
                </span>
              </Row>
            ))}
          </Rows>
        )}
      </Loaded>
    </Section>
  );
}
