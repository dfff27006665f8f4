/** The words of the project list and of the creation of a project. */
export const words = {
  title: 'Your projects',
  description: 'A project is one app with its users, keys and settings.',
  create: 'Create a project',
  empty: 'Create your first project',
  emptyText:
    'A project holds the users, keys and settings of one app. Create one for each app, and one more for tests.',
  invited:
    'Were you invited to a project? Open the link in the invitation email and accept it: then the project appears here. If the link has expired, ask an owner of the project for a new one.',
  production: 'production',
  development: 'development',
  created: 'Created',
  internalNote: 'The accounts that own projects, yours included.',
  newTitle: 'Create a project',
  newDescription: 'Everything here can be changed later.',
  protectionsFailed: 'Some protections of new projects could not be turned on. Check the security settings.',
  wasCreated: (name: string) => `${name} was created`,
  name: 'Name',
  nameHint: 'The users of your app see it on the sign-in page and in emails.',
  nameRequired: 'Enter a name.',
  methods: 'How users sign in',
  method: { hasPassword: 'Email and password', hasEmailCode: 'Code or link by email', hasPasskey: 'Passkey' },
  providersHint:
    'These providers start with shared keys, which are made for development. Add your own keys before you go live. Other providers need your own keys: add them in Sign-in methods after this.',
  noSharedKeys:
    'Google, GitHub and other providers need your own keys, because this server has none to share. Add them in Sign-in methods after this.',
  methodRequired: 'Choose at least one way to sign in.',
  passkeyNeedsMore: 'A passkey is added to an account that exists. Choose one more way to sign in.',
  preview: 'Preview of the sign-in page',
  previewName: 'Your app',
} as const;
