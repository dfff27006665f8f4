/** docs/contract/permissions.md#permission-ids: built-in permissions begin with `$` and cannot be changed. */
export function isSystemPermissionId(id: string): boolean {
  return id.startsWith('$');
}
