import { notificationCategories } from '@tessera/protocol';

export type NotificationCategory = (typeof notificationCategories)[number];

export interface Preference {
  readonly category: NotificationCategory;
  readonly isEnabled: boolean;
}

/** Every category with the user's choice, or its default. */
export function preferencesOf(choices: ReadonlyMap<string, boolean>): Preference[] {
  return notificationCategories.map(category => ({
    category,
    isEnabled: isWanted(category, choices.get(category.id)),
  }));
}

/** @param choice of the user; undefined means the default */
export function isWanted(category: NotificationCategory, choice: boolean | null | undefined): boolean {
  return choice ?? category.isOnByDefault;
}

export function findCategoryByName(name: string): NotificationCategory | undefined {
  return notificationCategories.find(category => category.name === name);
}

export function findCategory(id: string): NotificationCategory | undefined {
  return notificationCategories.find(category => category.id === id.toLowerCase());
}
