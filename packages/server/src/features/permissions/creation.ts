import { type CreateProject, createProjectCreation } from '../projects/index.ts';
import { firstDefinitions } from './rules.ts';
import { insertDefinition } from './store.ts';

/** Creates a project with its first permission definitions. */
export const createProject: CreateProject = createProjectCreation([
  async (tx, projectId) => {
    for (const definition of firstDefinitions) await insertDefinition(tx, projectId, definition);
  },
]);
