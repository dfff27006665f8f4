import { describe } from 'vitest';
import { testScenes } from '../support/accessible.ts';
import { demoScenes } from '../support/scenes/scenes-demo.ts';

describe('control 108: axe finds no violation in light and dark colours in the pages of the demo', () =>
  testScenes(demoScenes));
