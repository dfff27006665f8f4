import { ArrowLeft, Button, Card, CardTitle, classNames, FormSummary } from '@tessera/ui';
import { useEffect, useRef } from 'react';
import { TypedTextContext } from '../../form/typed-text.ts';
import { useProjectState } from '../../hooks/read-state.ts';
import { useRead } from '../../hooks/use-read.ts';
import { useTranslate } from '../../words/translate.tsx';
import { PageLink } from '../cards/page-link.tsx';
import { PageSurface } from '../cards/surface.tsx';
import { LoadingCard } from '../cards/waiting-card.tsx';
import { useRequiredUser } from '../navigation/use-required-user.ts';
import { Reauthentication } from '../reauthentication/reauthentication.tsx';
import { type DemoProps, useDemo } from './demo.ts';
import { ItemContent } from './item-content.tsx';
import { type ExtraItem, itemAt, type SettingsProps, settingsItems } from './items.ts';
import { RowsSkeleton } from './parts/parts.tsx';
import { itemName, Sidebar } from './sidebar.tsx';
import { useHash } from './use-hash.ts';
import { useKeptFocus } from './use-kept-focus.ts';
import { useLostText } from './use-lost-text.ts';

/** Props of `AccountSettings`. */
export interface AccountSettingsProps extends DemoProps {
  /** Centres the page in the window. Default: inline. */
  fullPage?: boolean | undefined;
  /** Sections of the host app, after ours. */
  extraItems?: readonly ExtraItem[] | undefined;
}

/** The page on which users manage their account, sessions and teams. */
export function AccountSettings({ fullPage, ...props }: AccountSettingsProps) {
  return (
    <PageSurface fullPage={fullPage} wide>
      {/* A window of its own has no navigation of the app. */}
      {fullPage && <HomeLink />}
      <SettingsContent {...props} />
    </PageSurface>
  );
}

function HomeLink() {
  const translate = useTranslate();
  return (
    <p>
      <PageLink to="home">{translate('action.home')}</PageLink>
    </p>
  );
}

function SettingsContent({ extraItems = [], ...props }: AccountSettingsProps) {
  const demo = useDemo(props);
  const user = useRequiredUser(demo === undefined);
  const project = useProjectState();
  const shown = demo ?? { user: user.value, project: project.value };

  if (!shown.user || shown.project === undefined) return <LoadingCard of={[project, user]} />;
  return (
    // The user is the key: after a change of account nothing of the previous user is shown.
    <Reauthentication key={shown.user.id} user={shown.user}>
      <Settings user={shown.user} project={shown.project} extraItems={extraItems} isDemo={demo !== undefined} />
    </Reauthentication>
  );
}

function Settings(props: SettingsProps) {
  const { user, project, extraItems } = props;
  const translate = useTranslate();
  const hash = useHash();
  const teams = useRead(user, 'listTeams');
  const extraIds = extraItems.map(({ id }) => id);
  const items = settingsItems({ config: project.config, teams: teams.value ?? [], extraIds });
  // The URL can name a team before the teams are loaded.
  const isComing = hash.startsWith('#team-') && teams.value === undefined && teams.error === undefined;
  const asked = itemAt(hash, items);
  const item = asked ?? items[0];
  const isNarrowList = asked === undefined && !isComing;
  const { title, list } = useFollowedFocus(asked?.id);
  const content = useKeptFocus(title);
  const [lost, keep] = useLostText(user);

  return (
    <Card className="tss:@container">
      <CardTitle>{translate('settings.title')}</CardTitle>
      {lost.length > 0 && (
        <FormSummary title={translate('settings.lost')}>
          {lost.map(({ label, text }) => (
            <p key={label} className="tss:text-sm">
              {label}: <bdi>{text}</bdi>
            </p>
          ))}
        </FormSummary>
      )}
      <div className="tss:grid tss:grid-cols-[minmax(0,1fr)] tss:gap-8 tss:@min-[700px]:grid-cols-[13rem_minmax(0,1fr)]">
        <div className={classNames('tss:@min-[700px]:block', !isNarrowList && 'tss:hidden')}>
          <Sidebar listRef={list} items={items} current={item} extraItems={extraItems} teams={teams} />
        </div>
        <div
          ref={content}
          className={classNames(
            'tss:content-start tss:gap-6 tss:@min-[700px]:grid',
            isNarrowList ? 'tss:hidden' : 'tss:grid tss:grid-cols-[minmax(0,1fr)]',
          )}
        >
          <Button
            variant="quiet"
            className="tss:-ms-4 tss:justify-self-start tss:@min-[700px]:hidden"
            onClick={() => {
              window.location.hash = '';
            }}
          >
            <ArrowLeft className="tss:size-4 tss:rtl:rotate-180" />
            {translate('settings.all')}
          </Button>
          {isComing && <RowsSkeleton />}
          {!isComing && item && (
            <>
              <h2
                ref={title}
                tabIndex={-1}
                className="tss:text-xl tss:font-semibold tss:wrap-anywhere tss:outline-none"
              >
                {itemName(item, extraItems, translate)}
              </h2>
              <TypedTextContext.Provider value={keep}>
                <ItemContent key={item.id} item={item} {...props} />
              </TypedTextContext.Provider>
            </>
          )}
        </div>
      </div>
    </Card>
  );
}

/** Moves the focus to the chosen section, and on narrow screens back to the list. */
function useFollowedFocus(id: string | undefined) {
  const title = useRef<HTMLHeadingElement>(null);
  const list = useRef<HTMLElement>(null);
  const before = useRef(id);

  useEffect(() => {
    if (before.current === id) return;
    before.current = id;
    // A hidden element takes no focus.
    if (id === undefined) list.current?.focus();
    else title.current?.focus();
  }, [id]);

  return { title, list };
}
