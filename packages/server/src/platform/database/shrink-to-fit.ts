import { ResultTooLarge } from './errors.ts';

const shrinksBy = 4;

/** Reads a page, and a shorter one while its rows are too large. @throws ResultTooLarge for a single row */
export async function shrinkToFit<Page>(limit: number, read: (limit: number) => Promise<Page>): Promise<Page> {
  for (let rows = limit; ; rows = Math.ceil(rows / shrinksBy)) {
    try {
      return await read(rows);
    } catch (error) {
      if (rows === 1 || !(error instanceof ResultTooLarge)) throw error;
    }
  }
}
