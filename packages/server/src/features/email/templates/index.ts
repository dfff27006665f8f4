export { withoutLinks } from './names.ts';
export { timeInWords } from './notice-facts.ts';
export { noticeNames } from './notices.ts';
