import type { LinkProps } from '@tanstack/react-router';
import type { LucideIcon } from 'lucide-react';
import type { words } from '../words.ts';
import type { SectionTitle } from './titles.ts';

/** The groups of the navigation, in this order. */
export type SectionGroup = keyof typeof words.navigation.groups;

/** A row of the navigation and of the command palette. */
export interface Section {
  readonly to: Extract<LinkProps['to'], `/projects/$projectId/${string}`>;
  readonly title: SectionTitle;
  readonly Icon: LucideIcon;
  readonly group: SectionGroup;
}
