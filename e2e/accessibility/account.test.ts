import { describe } from 'vitest';
import { testScenes } from '../support/accessible.ts';
import { accountScenes } from '../support/scenes/scenes-account.ts';

describe('control 108: axe finds no violation in light and dark colours in the account settings', () =>
  testScenes(accountScenes));
