export { findCategory, findCategoryByName, isWanted, type NotificationCategory } from './rules.ts';
export { createUnsubscribeLink } from './unsubscribe-link.ts';
