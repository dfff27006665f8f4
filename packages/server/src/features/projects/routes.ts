import { projectEndpoints } from '@tessera/protocol';
import { type BoundRoute, bind } from '../../http/bind.ts';
import { clientProject } from './wire.ts';

export function projectRoutes(): BoundRoute[] {
  return [bind(projectEndpoints.readCurrent, call => clientProject(call.project))];
}
