import pg from 'pg';

const int8 = 20;
const numeric = 1700;

/** `count(*)`, `sum` and our times fit a number exactly: milliseconds stay below 2^53 for 285,000 years. */
export const typeParsers: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === int8 || oid === numeric ? Number : pg.types.getTypeParser(oid, format as 'text'),
};
