export { withoutLinks } from './names.ts';
export { timeInWords } from './notice-facts.ts';
