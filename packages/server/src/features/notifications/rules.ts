import { notificationCategories } from '@tessera/protocol';

export type NotificationCategory = (typeof notificationCategories)[number];

export interface Preference {
  readonly category: NotificationCategory;
  readonly isEnabled: boolean;
}

/** Every category with the user's choice, or what holds without one. */
export function preferencesOf(choices: ReadonlyMap<string, boolean>): Preference[] {
  return notificationCategories.map(category => ({
    category,
    isEnabled: choices.get(category.id) ?? category.isOnByDefault,
  }));
}

export function findCategory(id: string): NotificationCategory | undefined {
  return notificationCategories.find(category => category.id === id.toLowerCase());
}
