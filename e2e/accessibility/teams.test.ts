import { describe } from 'vitest';
import { testScenes } from '../support/accessible.ts';
import { teamScenes } from '../support/scenes/scenes-teams.ts';

describe('control 108: axe finds no violation in light and dark colours in the pages of teams', () =>
  testScenes(teamScenes));
