export { oneLine, projectName, withoutLinks } from './names.ts';
