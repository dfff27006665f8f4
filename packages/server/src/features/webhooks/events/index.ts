export { publishEvent } from './publish.ts';
export { eventTask, forwardEventsToSvix } from './store.ts';
