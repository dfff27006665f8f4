import { describe, expect, it } from 'vitest';
import { roleName } from './role-names.ts';

const translate = (key: string) => `<${key}>`;

describe('the name of a role', () => {
  it.each([
    ['team_admin', '<role.admin>'],
    ['team_member', '<role.member>'],
    ['billing_manager', 'Billing manager'],
    ['docs:write', 'Docs write'],
    ['$read_members', 'Read members'],
    ['constructor', 'Constructor'],
  ])('of %s is %s', (id, name) => expect(roleName(id, translate)).toBe(name));
});
