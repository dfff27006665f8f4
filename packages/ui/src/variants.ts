import { classNames } from './class-names.ts';

type Table = Record<string, Record<string, string>>;
type Choice<T extends Table> = { [K in keyof T]?: keyof T[K] };

/** Returns a function from variants to class names. A variant that is not given has its default. */
function variants<T extends Table>(base: string, table: T, defaults: Required<Choice<T>>) {
  return (choice: Choice<T>, className?: string): string =>
    classNames(
      base,
      ...Object.keys(table).map(name => table[name]?.[String(choice[name] ?? defaults[name])]),
      className,
    );
}

export { type Choice, variants };
