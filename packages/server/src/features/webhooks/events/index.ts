export { type Announcement, announce, eventTask, handsEventsOn } from './publish.ts';
