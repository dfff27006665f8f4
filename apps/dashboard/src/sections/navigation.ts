import {
  ChartNoAxesColumn,
  Globe,
  KeyRound,
  ListChecks,
  LockKeyhole,
  LogIn,
  Mail,
  Network,
  ScrollText,
  Settings,
  ShieldCheck,
  Users,
  Webhook,
} from 'lucide-react';
import { words as apiKeys } from './api-keys/words.ts';
import { words as auditLog } from './audit-log/words.ts';
import { words as domains } from './domains/words.ts';
import { words as emails } from './emails/words.ts';
import { words as getStarted } from './get-started/words.ts';
import { words as overview } from './overview/words.ts';
import { words as permissions } from './permissions/words.ts';
import { words as projectSettings } from './project-settings/words.ts';
import type { Section } from './section.ts';
import { words as security } from './security/words.ts';
import { words as signInMethods } from './sign-in-methods/words.ts';
import { words as teams } from './teams/words.ts';
import { words as users } from './users/words.ts';
import { words as webhooks } from './webhooks/words.ts';

/** The navigation of a project, in the order of the screen. */
export const navigation: readonly Section[] = [
  { to: '/projects/$projectId/get-started', title: getStarted.title, Icon: ListChecks, group: 'build' },
  { to: '/projects/$projectId/overview', title: overview.title, Icon: ChartNoAxesColumn, group: 'build' },
  { to: '/projects/$projectId/users', title: users.title, Icon: Users, group: 'people' },
  { to: '/projects/$projectId/teams', title: teams.title, Icon: Network, group: 'people' },
  { to: '/projects/$projectId/permissions', title: permissions.title, Icon: ShieldCheck, group: 'people' },
  { to: '/projects/$projectId/emails', title: emails.title, Icon: Mail, group: 'messages' },
  { to: '/projects/$projectId/webhooks', title: webhooks.title, Icon: Webhook, group: 'messages' },
  { to: '/projects/$projectId/audit-log', title: auditLog.title, Icon: ScrollText, group: 'operate' },
  { to: '/projects/$projectId/security', title: security.title, Icon: LockKeyhole, group: 'operate' },
  { to: '/projects/$projectId/sign-in-methods', title: signInMethods.title, Icon: LogIn, group: 'access' },
  { to: '/projects/$projectId/domains', title: domains.title, Icon: Globe, group: 'access' },
  { to: '/projects/$projectId/api-keys', title: apiKeys.title, Icon: KeyRound, group: 'access' },
  { to: '/projects/$projectId/settings', title: projectSettings.title, Icon: Settings, group: 'operate' },
];
