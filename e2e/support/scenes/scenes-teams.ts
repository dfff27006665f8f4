import { linkIn, mailTo } from '../mail.ts';
import { registerInBrowser } from '../pages.ts';
import { newPerson, type Person } from '../people.ts';
import { everything } from '../project.ts';
import type { Scene, Stage } from './scene.ts';
import { at, openSettings, section, settings } from './signed-in.ts';

const longName = 'The International Society for the Improvement of Difference and Analytical Engines';

/** The pages of teams and of their invitations. */
export const teamScenes: readonly Scene[] = [
  {
    name: 'settings-team-creation',
    switches: everything,
    show: at('#team-creation', 'Create a team'),
  },
  {
    name: 'settings-team',
    switches: everything,
    show: at('#team-creation', 'Create a team', async stage => {
      await createTeam(stage, longName);
      await section(stage.page, 'Invite a member').getByLabel('Email').fill('grace@example.com');
      await stage.page.getByRole('button', { name: 'Invite', exact: true }).click();
      await stage.page.getByRole('button', { name: 'Revoke invitation of grace@example.com' }).waitFor();
    }),
  },
  {
    name: 'settings-right-to-left',
    switches: everything,
    show: at('#team-creation', 'Create a team', async stage => {
      await createTeam(stage, 'فريق التحليل');
      await createTeam(stage, `${longName}, ${longName}`);
      await stage.page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'));
      await stage.page.goto(`${settings}#auth`);
      await section(stage.page, 'Two-step verification').waitFor();
    }),
  },
  {
    name: 'team-invitation',
    switches: everything,
    show: async stage => {
      const { link, guest } = await inviteGuest(stage);
      await registerInBrowser(stage.server, stage.page, guest);
      await stage.page.goto(link);
      await stage.page.getByRole('button', { name: 'Join' }).waitFor();
    },
  },
  {
    name: 'team-invitation-signed-out',
    switches: everything,
    show: async stage => {
      const { link, guest } = await inviteGuest(stage);
      await stage.page.goto(link);
      await stage.page.getByText(guest.email).waitFor();
    },
  },
];

/** Creates a team on its page, and waits for the page of the team. */
async function createTeam({ page }: Stage, name: string): Promise<void> {
  await page.goto(`${settings}#team-creation`);
  await page.getByRole('textbox', { name: 'Team name' }).fill(name);
  await page.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('heading', { level: 2, name }).waitFor();
  await section(page, 'Members').getByRole('listitem').first().waitFor();
}

/** Invites a person without an account into a team, and signs out. */
async function inviteGuest(stage: Stage): Promise<{ link: string; guest: Person }> {
  const guest = newPerson();
  await openSettings(stage, '#team-creation', 'Create a team');
  await createTeam(stage, longName);
  await section(stage.page, 'Invite a member').getByLabel('Email').fill(guest.email);
  await stage.page.getByRole('button', { name: 'Invite', exact: true }).click();
  const link = linkIn(await mailTo(stage.server, guest.email, /team|invit/i));
  await stage.page.context().clearCookies();
  return { link, guest };
}
