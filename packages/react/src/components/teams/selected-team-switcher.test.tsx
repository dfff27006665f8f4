import { RequestError, type Team } from '@tessera/client';
import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { expect, expectTypeOf, it, vi } from 'vitest';
import type { Team as HookedTeam } from '../../hooks/hooked-types.ts';
import { SelectedTeamSwitcher } from '../../lazy/parts.tsx';
import { fakeApp, project, setReader, user } from '../../test/fake-app.ts';
import { settle, show, violations } from '../../test/show.tsx';
import type { SelectedTeamSwitcherProps } from './selected-team-switcher.tsx';

const team = (id: string, displayName = `Team ${id}`) => ({ id, displayName, profileImageUrl: null }) as Team;
const [one, two] = [team('1'), team('2')];
const items = () => screen.getAllByRole('menuitem').map(item => item.textContent);

function withTeams(selectedTeam: Team | null = one, update = vi.fn(async () => {})) {
  const fake = fakeApp();
  fake.readers.user.set(user({ selectedTeam, update } as never, { listTeams: setReader<unknown>([one, two]) }));
  fake.readers.project.set(project({ clientTeamCreationEnabled: true }));
  return { fake, update };
}

async function open(name: string) {
  await userEvent.click(screen.getByRole('button', { name }));
}

it('SelectedTeamSwitcher: shows the selected team, the others, and links to settings and a new team', async () => {
  const { fake } = withTeams();
  const { navigate } = await show(<SelectedTeamSwitcher allowNull nullLabel="Just me" />, { with: fake });
  await open('Team: Team 1');
  expect(items()).toEqual(['TTeam 1', 'Just me', 'TTeam 2', 'Create a team']);
  expect(await violations(document.body)).toEqual([]);
  await userEvent.click(screen.getByRole('menuitem', { name: /Team 1/ }));
  expect(navigate).toHaveBeenCalledExactlyOnceWith('/handler/account-settings#team-1');
  await open('Team: Team 1');
  await userEvent.click(screen.getByRole('menuitem', { name: 'Create a team' }));
  expect(navigate).toHaveBeenLastCalledWith('/handler/account-settings#team-creation');
});

it('SelectedTeamSwitcher: the callbacks get null only with allowNull', () => {
  type Choice<Props extends SelectedTeamSwitcherProps> = Parameters<NonNullable<Props['urlMap']>>[0];
  type WithoutNull = Extract<SelectedTeamSwitcherProps, { allowNull?: false | undefined }>;
  expectTypeOf<Choice<WithoutNull>>().toEqualTypeOf<HookedTeam>();
  expectTypeOf<Choice<Extract<SelectedTeamSwitcherProps, { allowNull: boolean }>>>().toEqualTypeOf<HookedTeam | null>();
});

it('SelectedTeamSwitcher: the parameter of a callback is inferred, whether allowNull is left out, false, true or a boolean', () => {
  const isAllowed: boolean = [one].length === 1;
  const props: SelectedTeamSwitcherProps = { nullLabel: 'None' };
  const switchers = [
    <SelectedTeamSwitcher key="1" onChange={chosen => expectTypeOf(chosen).toEqualTypeOf<HookedTeam>()} />,
    <SelectedTeamSwitcher
      key="2"
      allowNull={false}
      onChange={chosen => expectTypeOf(chosen).toEqualTypeOf<HookedTeam>()}
    />,
    <SelectedTeamSwitcher key="3" allowNull urlMap={chosen => `/t/${chosen?.id}`} />,
    <SelectedTeamSwitcher
      key="4"
      allowNull={isAllowed}
      onChange={chosen => expectTypeOf(chosen).toEqualTypeOf<HookedTeam | null>()}
    />,
    <SelectedTeamSwitcher key="5" {...props} />,
  ];
  expect(switchers).toHaveLength(5);
  expectTypeOf<ComponentProps<typeof SelectedTeamSwitcher>>().toEqualTypeOf<SelectedTeamSwitcherProps>();
});

it('SelectedTeamSwitcher: the callbacks can be functions of a team', () => {
  const pathOf = (chosen: HookedTeam) => `/t/${chosen.id}`;
  const pathOrHome = (chosen: HookedTeam | null) => (chosen ? pathOf(chosen) : '/');
  const switchers = [
    <SelectedTeamSwitcher key="1" urlMap={pathOf} onChange={pathOf} />,
    <SelectedTeamSwitcher key="2" allowNull urlMap={pathOrHome} onChange={pathOrHome} />,
    // @ts-expect-error: with allowNull, urlMap is also called with null, which pathOf does not accept
    <SelectedTeamSwitcher key="3" allowNull urlMap={pathOf} />,
  ];
  expect(switchers).toHaveLength(3);
});

it('SelectedTeamSwitcher: a choice is stored, reported and followed by the redirect', async () => {
  const { fake, update } = withTeams();
  const onChange = vi.fn();
  const urlMap = (chosen: { id: string } | null) => `/t/${chosen?.id ?? 'none'}`;
  const { navigate } = await show(<SelectedTeamSwitcher allowNull onChange={onChange} urlMap={urlMap} />, {
    with: fake,
  });
  await open('Team: Team 1');
  await userEvent.click(screen.getByRole('menuitem', { name: /Team 2/ }));
  await settle();
  expect(onChange).toHaveBeenCalledExactlyOnceWith(two);
  expect(update).toHaveBeenCalledExactlyOnceWith({ selectedTeamId: '2' });
  expect(navigate).toHaveBeenCalledExactlyOnceWith('/t/2');
  await open('Team: Team 1');
  await userEvent.click(screen.getByRole('menuitem', { name: 'No team' }));
  await settle();
  expect(update).toHaveBeenLastCalledWith({ selectedTeamId: null });
  expect(navigate).toHaveBeenLastCalledWith('/t/none');
});

it('SelectedTeamSwitcher: stores a given team once, unless noUpdateSelectedTeam is set', async () => {
  const first = withTeams(null);
  const view = await show(<SelectedTeamSwitcher selectedTeam={two} />, { with: first.fake });
  expect(first.update).toHaveBeenCalledExactlyOnceWith({ selectedTeamId: '2' });
  expect(screen.getByRole('button', { name: 'Team: Team 2' })).toBeTruthy();
  view.unmount();

  const second = withTeams(null);
  await show(<SelectedTeamSwitcher selectedTeam={two} noUpdateSelectedTeam />, { with: second.fake });
  await open('Team: Team 2');
  await userEvent.click(screen.getByRole('menuitem', { name: /Team 1/ }));
  expect(second.update).not.toHaveBeenCalled();
});

it('SelectedTeamSwitcher: shows why a change failed', async () => {
  const alert = vi.fn();
  vi.stubGlobal('alert', alert);
  const { fake } = withTeams(
    one,
    vi.fn(async () => {
      throw new RequestError('unreachable', 'no');
    }),
  );
  await show(<SelectedTeamSwitcher />, { with: fake });
  await open('Team: Team 1');
  await userEvent.click(screen.getByRole('menuitem', { name: /Team 2/ }));
  await settle();
  expect(alert).toHaveBeenCalledExactlyOnceWith("We can't reach the server. Check your connection and try again.");
  vi.unstubAllGlobals();
});

it('SelectedTeamSwitcher: is empty when signed out, a skeleton while loading, and shows mock data', async () => {
  const fake = fakeApp();
  fake.readers.user.forget();
  const view = await show(<SelectedTeamSwitcher />, { with: fake });
  expect(screen.queryByRole('button')).toBeNull();
  await act(async () => fake.readers.user.set(null));
  await open('Team: No team');
  expect(screen.getByText('No teams yet')).toBeTruthy();
  view.unmount();

  await show(<SelectedTeamSwitcher mockUser={{ selectedTeam: one }} mockTeams={[one, two]} />);
  await open('Team: Team 1');
  expect(items()).toEqual(['TTeam 1', 'TTeam 2']);
});

it.each(['the teams', 'the user'])(
  'SelectedTeamSwitcher: says that %s could not be loaded, and tries again',
  async what => {
    const fake = fakeApp();
    const teams = setReader<unknown>();
    const failing = what === 'the teams' ? teams : fake.readers.user;
    if (what === 'the teams') fake.readers.user.set(user({}, { listTeams: teams }));
    else fake.readers.user.forget();
    await show(<SelectedTeamSwitcher />, { with: fake });
    await act(async () => failing.fail(new RequestError('unreachable', 'no')));
    await open('Team: No team');
    expect(screen.queryByText('No teams yet')).toBeNull();
    expect(await violations(document.body)).toEqual([]);
    const description = "This couldn't be loaded. We can't reach the server. Check your connection and try again.";
    await userEvent.click(screen.getByRole('menuitem', { name: 'Try again', description }));
    expect(failing.refresh).toHaveBeenCalledOnce();
  },
);
