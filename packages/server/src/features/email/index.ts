export { emailTasks } from './tasks.ts';
