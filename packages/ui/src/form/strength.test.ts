import { describe, expect, test } from 'vitest';
import { type PasswordLevel, passwordStrength } from './strength.ts';

const cases: [password: string, level: PasswordLevel][] = [
  ['', 0],
  ['a', 1],
  ['password', 1],
  ['P@ssw0rd', 1],
  ['Password1!', 1],
  ['Summer2024!', 1],
  ['aaaaaaaaaaaaaaaaaaaa', 1],
  ['12345678901234567890', 1],
  ['qwertyuiop', 1],
  ['abcdefghijklmnop', 1],
  ['iloveyou', 1],
  ['trustno1', 1],
  ['kitten22', 2],
  ['Summer2024!abc', 2],
  ['tigerlily', 2],
  ['Tr0ub4dor&', 3],
  ['x7Kp2mQ9', 2],
  ['x7Kp2mQ9vB', 3],
  ['9fK#2mQ!xw8Lr', 4],
  ['correct horse battery staple', 4],
  ['🦊🌲🌙🔥🎈🚲🧭🪁🦉🐚', 3],
];

describe('passwordStrength', () => {
  test.each(cases)('%j has level %i', (password, level) => {
    expect(passwordStrength(password)).toEqual({ bits: expect.any(Number), level });
  });

  test('a password made of known words about the user is weak', () => {
    const known = ['Grace Hopper', 'grace.hopper@navy.example'];
    expect(passwordStrength('gracehopper1906').level).toBe(3);
    expect(passwordStrength('gracehopper1906', known).level).toBe(1);
    expect(passwordStrength('Gr4ceH0pper', known).level).toBe(1);
  });

  test('known words of one or two letters are ignored', () => {
    expect(passwordStrength('x7Kp2mQ9vB', ['x', '7K'])).toEqual(passwordStrength('x7Kp2mQ9vB'));
  });

  test('more characters of the same kind never lower the level', () => {
    const bits = [...'x7Kp2mQ9vBtz'].map(
      (_, index, letters) => passwordStrength(letters.slice(0, index + 1).join('')).bits,
    );
    expect(bits).toEqual(bits.toSorted((one, other) => one - other));
  });
});
