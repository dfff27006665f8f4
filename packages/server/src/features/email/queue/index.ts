export {
  type AccountNoticeTemplate,
  type AccountNoticeVariables,
  createMail,
  type Mail,
  mailTask,
  mailVariablesPurpose,
  type NoticeOrigin,
  type Template,
  type TemplateVariables,
} from './mail.ts';
export { keepMails } from './store.ts';
export { showsTypedCode } from './template-variables.ts';
