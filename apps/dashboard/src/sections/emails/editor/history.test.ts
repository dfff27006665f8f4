import { expect, test } from 'vitest';
import { record, redo, startHistory, undo } from './history.ts';

test('undo goes back step by step, and redo forward', () => {
  let history = record(record(startHistory('a'), 'b'), 'c');
  history = undo(history);
  expect(history.present).toBe('b');
  history = undo(undo(history));
  expect(history.present).toBe('a');
  history = redo(redo(redo(history)));
  expect(history.present).toBe('c');
});

test('typing in one field is one step, and another field begins a new one', () => {
  let history = record(record(startHistory(''), 'h', 'text'), 'hi', 'text');
  history = record(history, 'hi!', 'subject');
  expect(undo(history).present).toBe('hi');
  expect(undo(undo(history)).present).toBe('');
});

test('a change after undo drops the undone steps, and an equal state adds no step', () => {
  const history = record(undo(record(startHistory('a'), 'b')), 'c');
  expect(redo(history).present).toBe('c');
  expect(record(history, 'c')).toBe(history);
});

test('the oldest steps are dropped after 200', () => {
  let history = startHistory(0);
  for (let step = 1; step <= 250; step += 1) history = record(history, step);
  expect(history.past).toHaveLength(200);
});
