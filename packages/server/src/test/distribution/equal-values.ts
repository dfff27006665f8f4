/** Sets of expressions that have the same value in every row of a statement (union-find). */
export class EqualValues {
  private readonly parents: number[] = [];
  private readonly numbers = new Map<string, number>();

  create(): number {
    return this.parents.push(this.parents.length) - 1;
  }

  /** The value with a name: a placeholder or a constant. */
  named(name: string): number {
    const number = this.numbers.get(name) ?? this.create();
    this.numbers.set(name, number);
    return number;
  }

  /** Nothing is equal to an unknown value. */
  equate(one: number | undefined, other: number | undefined): void {
    if (one !== undefined && other !== undefined) this.parents[this.find(one)] = this.find(other);
  }

  find(value: number): number {
    const parent = this.parents[value] as number;
    return parent === value ? value : this.find(parent);
  }

  /** The value of a column that has one value in some rows and another one in the others. */
  common(one: number, other: number | undefined): number {
    const isSame = other !== undefined && this.find(one) === this.find(other);
    return isSame ? one : this.create();
  }

  /** Whether a value is equal to a placeholder or a constant. */
  isNamed(value: number): boolean {
    return [...this.numbers.values()].some(named => this.find(named) === this.find(value));
  }
}
