export { emailTasks, mailLane, mailsPerProject } from './tasks.ts';
