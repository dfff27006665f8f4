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
import type { Section } from './section.ts';
import { titles } from './titles.ts';

/** The navigation of a project, in the order of the screen. */
export const navigation: readonly Section[] = [
  { to: '/projects/$projectId/get-started', title: titles.getStarted, Icon: ListChecks, group: 'build' },
  { to: '/projects/$projectId/overview', title: titles.overview, Icon: ChartNoAxesColumn, group: 'build' },
  { to: '/projects/$projectId/users', title: titles.users, Icon: Users, group: 'people' },
  { to: '/projects/$projectId/teams', title: titles.teams, Icon: Network, group: 'people' },
  { to: '/projects/$projectId/permissions', title: titles.permissions, Icon: ShieldCheck, group: 'people' },
  { to: '/projects/$projectId/sign-in-methods', title: titles.signInMethods, Icon: LogIn, group: 'access' },
  { to: '/projects/$projectId/domains', title: titles.domains, Icon: Globe, group: 'access' },
  { to: '/projects/$projectId/api-keys', title: titles.apiKeys, Icon: KeyRound, group: 'access' },
  { to: '/projects/$projectId/emails', title: titles.emails, Icon: Mail, group: 'messages' },
  { to: '/projects/$projectId/webhooks', title: titles.webhooks, Icon: Webhook, group: 'messages' },
  { to: '/projects/$projectId/audit-log', title: titles.auditLog, Icon: ScrollText, group: 'operate' },
  { to: '/projects/$projectId/security', title: titles.security, Icon: LockKeyhole, group: 'operate' },
  { to: '/projects/$projectId/settings', title: titles.projectSettings, Icon: Settings, group: 'operate' },
];
