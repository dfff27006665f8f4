import type { Scene } from './scene.ts';
import { accountScenes } from './scenes-account.ts';
import { demoScenes } from './scenes-demo.ts';
import { mailPageScenes } from './scenes-emails.ts';
import { handlerScenes } from './scenes-handler.ts';
import { teamScenes } from './scenes-teams.ts';

/** Every page of the demo in every state. */
export const scenes: readonly Scene[] = [
  ...demoScenes,
  ...handlerScenes,
  ...accountScenes,
  ...teamScenes,
  ...mailPageScenes,
];
