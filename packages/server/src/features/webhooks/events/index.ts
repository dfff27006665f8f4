export { type DomainEvent, eventTask, forwardEventsToSvix, publishEvent } from './publish.ts';
