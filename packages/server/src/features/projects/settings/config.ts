import { type ProjectConfig, projectConfig } from '../../../core/project-config.ts';

/** The settings of a stored project; unset ones have their defaults. */
export function settingsOf({ config }: { readonly config: unknown }): ProjectConfig {
  return projectConfig.parse(config);
}

/** The settings that a new project gets by default (docs/contract/projects.md#admin-view). */
export const newProjectConfig = {
  credentialEnabled: true,
  allowLocalhost: true,
  teamCreatorDefaultPermissions: ['team_admin'],
  teamMemberDefaultPermissions: ['team_member'],
} as const satisfies Partial<ProjectConfig>;
