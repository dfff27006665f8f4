export { emailTasks, mailLane } from './tasks.ts';
