import { describe } from 'vitest';
import { testScenes } from '../support/accessible.ts';
import { handlerScenes } from '../support/scenes/scenes-handler.ts';

describe('control 108: axe finds no violation in light and dark colours in the handler pages', () =>
  testScenes(handlerScenes));
