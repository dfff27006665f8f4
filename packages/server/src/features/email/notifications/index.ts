export { findCategory, findCategoryByName, type NotificationCategory } from './rules.ts';
export { createUnsubscribeLink } from './unsubscribe-link.ts';
