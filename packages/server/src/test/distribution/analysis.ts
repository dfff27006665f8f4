import { loadModule, parseSync } from 'libpg-query';
import { EqualValues } from './equal-values.ts';
import { renameColumns, uniteOutputs } from './outputs.ts';
import { findQuery, findSource, noOutput, type Output, type Scope, type Source } from './scope.ts';
import { createOutputSource, createTableSource, type KnownTable } from './sources.ts';
import {
  type FunctionSource,
  type Join,
  membersOf,
  type Node,
  namesIn,
  namesOfColumn,
  type Query,
  type Relation,
  type SubLink,
} from './tree.ts';

await loadModule();

export interface StatementSpan {
  /** The distributed tables of the statement, once for each reference. */
  readonly distributed: readonly string[];
  /** The other tables of the statement. */
  readonly others: readonly string[];
  /** Groups of references whose distribution columns are equal. One group or none: no join across projects. */
  readonly groups: readonly (readonly string[])[];
  /** Whether all references are equal to a value that is known before the execution, so that one shard answers. */
  readonly isPinned: boolean;
  /** The functions that the statement calls. */
  readonly functions: readonly string[];
}

/**
 * Finds which distributed tables a statement reads and writes, and which of their distribution columns are equal: by
 * conditions that every row fulfills, through subqueries, common table expressions and inserted columns.
 */
export function analyzeStatement(text: string, tables: ReadonlyMap<string, KnownTable>): StatementSpan {
  const parsed = parseSync(text) as { stmts?: { stmt: Node }[] };
  const analysis = new Analysis(tables);
  for (const { stmt } of parsed.stmts ?? []) analysis.readQuery(stmt, undefined);
  return analysis.result();
}

class Analysis {
  private readonly values = new EqualValues();
  private readonly references: { readonly table: string; readonly value: number }[] = [];
  private readonly others: string[] = [];
  private readonly functions = new Set<string>();
  private readonly sublinks = new Map<SubLink, Output>();

  constructor(private readonly tables: ReadonlyMap<string, KnownTable>) {}

  result(): StatementSpan {
    const groups = new Map<number, string[]>();
    for (const { table, value } of this.references) {
      const group = this.values.find(value);
      groups.set(group, [...(groups.get(group) ?? []), table]);
    }
    return {
      distributed: this.references.map(({ table }) => table),
      others: this.others,
      groups: [...groups.values()],
      isPinned: this.references.every(({ value }) => this.values.isNamed(value)),
      functions: [...this.functions],
    };
  }

  readQuery(node: Node, outer: Scope | undefined): Output {
    const { SelectStmt: select, InsertStmt: insert } = node;
    const query = select ?? insert ?? node.UpdateStmt ?? node.DeleteStmt;
    if (query === undefined) return this.readOther(node);
    const scope: Scope = { sources: [], queries: new Map(), outer };
    this.readCommonTables(query, scope);
    if (select) return this.readSelect(select, scope);
    return insert ? this.readInsert(insert, scope) : this.readChange(query, scope);
  }

  /** Other kinds of statements may not name a table of projects. */
  private readOther(node: Node): Output {
    const named = JSON.stringify(node).match(/(?<="relname":")\w+/g) ?? [];
    if (named.some(table => this.tables.get(table)?.distributedBy !== undefined)) {
      throw new Error(`the analysis does not know ${Object.keys(node).join()}`);
    }
    return noOutput;
  }

  private readCommonTables({ withClause }: Query, scope: Scope): void {
    for (const { CommonTableExpr: common } of withClause?.ctes ?? []) {
      if (common === undefined) continue;
      const { larg, rarg } = common.ctequery.SelectStmt ?? {};
      const isRecursive = withClause?.recursive === true && larg !== undefined && rarg !== undefined;
      const output = this.readQuery(isRecursive ? { SelectStmt: larg } : common.ctequery, scope);
      scope.queries.set(common.ctename, renameColumns(output, common.aliascolnames, this.values));
      if (isRecursive) this.readQuery({ SelectStmt: rarg }, scope);
    }
  }

  private readSelect(query: Query, scope: Scope): Output {
    if (query.larg && query.rarg) {
      const one = this.readQuery({ SelectStmt: query.larg }, scope);
      return uniteOutputs(one, this.readQuery({ SelectStmt: query.rarg }, scope), this.values);
    }
    if (query.valuesLists) return this.readValues(query.valuesLists, scope);
    for (const item of query.fromClause ?? []) this.readFrom(item, scope);
    this.readCondition(query.whereClause, scope);
    const { targetList, fromClause: _from, whereClause: _where, withClause: _with, ...rest } = query;
    this.visit(rest, scope);
    return this.readTargets(targetList, scope);
  }

  private readInsert(query: Query, scope: Scope): Output {
    const target = this.addTable(query.relation as Relation, scope);
    const { list } = query.selectStmt ? this.readQuery(query.selectStmt, { ...scope, sources: [] }) : noOutput;
    query.cols?.forEach(({ ResTarget: column }, index) => {
      const value = column?.name === undefined ? undefined : target.columnValue(column.name);
      this.values.equate(value, list[index]);
    });
    this.visit(query.onConflictClause, scope);
    return this.readTargets(query.returningClause?.exprs, scope);
  }

  private readChange(query: Query, scope: Scope): Output {
    this.addTable(query.relation as Relation, scope);
    for (const item of [...(query.fromClause ?? []), ...(query.usingClause ?? [])]) this.readFrom(item, scope);
    this.readCondition(query.whereClause, scope);
    this.visit(query.targetList, scope);
    return this.readTargets(query.returningClause?.exprs, scope);
  }

  private readTargets(targets: readonly Node[] | undefined, scope: Scope): Output {
    const columns = new Map<string, number>();
    const all: Source[] = [];
    const list: number[] = [];
    for (const { ResTarget: target } of targets ?? []) {
      if (target === undefined) continue;
      const names = namesOfColumn(target.val);
      if (names?.at(-1) === '*') {
        all.push(...scope.sources.filter(({ alias }) => names.length === 1 || alias === names[0]));
        continue;
      }
      this.visit(target.val, scope);
      const value = this.valueOf(target.val, scope);
      list.push(value);
      columns.set(target.name ?? names?.at(-1) ?? `?${list.length}`, value);
    }
    return { columns, all, list };
  }

  /** The rows of `values`. A column is a value when all rows have the same one. */
  private readValues(rows: readonly Node[], scope: Scope): Output {
    const [first = [], ...more] = rows.map(({ List: row }) =>
      (row?.items ?? []).map(item => {
        this.visit(item, scope);
        return this.valueOf(item, scope);
      }),
    );
    const list = first.map((value, index) => more.reduce((same, row) => this.values.common(same, row[index]), value));
    return { columns: new Map(list.map((value, index) => [`column${index + 1}`, value])), all: [], list };
  }

  private readFrom(item: Node, scope: Scope): Source[] {
    if (item.RangeVar) return [this.addTable(item.RangeVar, scope)];
    if (item.JoinExpr) return this.readJoin(item.JoinExpr, scope);
    if (item.RangeFunction) return [this.addFunction(item.RangeFunction, scope)];
    if (item.RangeSubselect === undefined) throw new Error(`the analysis does not know ${Object.keys(item).join()}`);
    const { subquery, alias } = item.RangeSubselect;
    const output = renameColumns(this.readQuery(subquery, scope), alias?.colnames, this.values);
    return [this.addOutput(scope, alias?.aliasname ?? '', output)];
  }

  private readJoin(join: Join, scope: Scope): Source[] {
    if (join.isNatural) throw new Error('the analysis does not know natural joins');
    const left = this.readFrom(join.larg, scope);
    const right = this.readFrom(join.rarg, scope);
    for (const name of namesIn(join.usingClause)) {
      const [one, other] = [left, right].map(sources => sources.find(source => source.has(name) !== false));
      this.values.equate(one?.columnValue(name), other?.columnValue(name));
    }
    this.readCondition(join.quals, scope);
    return [...left, ...right];
  }

  private addFunction({ functions, alias, coldeflist }: FunctionSource, scope: Scope): Source {
    this.visit(functions, scope);
    const defined = coldeflist?.map(({ ColumnDef: column }) => column?.colname ?? '');
    // A function that returns one column names it like itself.
    const names = alias?.colnames ? namesIn(alias.colnames) : (defined ?? [alias?.aliasname ?? '']);
    const columns = new Map(names.map(name => [name, this.values.create()]));
    return this.addOutput(scope, alias?.aliasname ?? '', { ...noOutput, columns });
  }

  private addTable(relation: Relation, scope: Scope): Source {
    const query = relation.schemaname === undefined ? findQuery(scope, relation.relname) : undefined;
    const alias = relation.alias?.aliasname ?? relation.relname;
    if (query !== undefined) return this.addOutput(scope, alias, query);
    const name = [relation.schemaname, relation.relname].filter(Boolean).join('.');
    const known = this.tables.get(name);
    const source = createTableSource(alias, known, this.values);
    scope.sources.push(source);
    if (known?.distributedBy === undefined) this.others.push(name);
    else this.references.push({ table: name, value: source.columnValue(known.distributedBy) });
    return source;
  }

  private addOutput(scope: Scope, alias: string, output: Output): Source {
    const source = createOutputSource(alias, output, this.values);
    scope.sources.push(source);
    return source;
  }

  /** Reads a condition that every row fulfills: equal columns of its conjunctions are equated. */
  private readCondition(condition: Node | undefined, scope: Scope): void {
    if (condition === undefined) return;
    const { BoolExpr: bool, A_Expr: comparison, SubLink: link } = condition;
    if (bool?.boolop === 'AND_EXPR') {
      for (const part of bool.args) this.readCondition(part, scope);
      return;
    }
    this.visit(condition, scope);
    if (comparison?.kind === 'AEXPR_OP' && namesIn(comparison.name).join() === '=') {
      const [left, right] = [membersOf(comparison.lexpr), membersOf(comparison.rexpr)];
      if (left.length === right.length)
        this.equateAll(
          left,
          right.map(part => this.valueOf(part, scope)),
          scope,
        );
    }
    // `in` has no operator name.
    if (link?.subLinkType === 'ANY_SUBLINK' && link.testexpr && ['', '='].includes(namesIn(link.operName).join())) {
      this.equateAll(membersOf(link.testexpr), this.sublinks.get(link)?.list ?? [], scope);
    }
  }

  private equateAll(expressions: readonly Node[], values: readonly number[], scope: Scope): void {
    expressions.forEach((part, index) => {
      this.values.equate(this.valueOf(part, scope), values[index]);
    });
  }

  /** Reads the subqueries and functions of an expression. */
  private visit(part: unknown, scope: Scope): void {
    if (typeof part !== 'object' || part === null) return;
    const { SubLink: link, FuncCall: call } = part as Node;
    if (link !== undefined) {
      this.visit(link.testexpr, scope);
      this.sublinks.set(link, this.readQuery(link.subselect, scope));
      return;
    }
    if (call !== undefined) this.functions.add(namesIn(call.funcname).join('.'));
    for (const value of Object.values(part)) this.visit(value, scope);
  }

  private valueOf(expression: Node, scope: Scope): number {
    const names = namesOfColumn(expression);
    if (names !== undefined) return findSource(scope, names)?.columnValue(names.at(-1) ?? '') ?? this.values.create();
    const { TypeCast: cast, ParamRef: parameter, A_Const: constant, SubLink: link } = expression;
    if (cast) return this.valueOf(cast.arg, scope);
    if (parameter) return this.values.named(`$${parameter.number}`);
    if (constant?.sval) return this.values.named(`'${constant.sval.sval}'`);
    const isScalar = link?.subLinkType === 'EXPR_SUBLINK';
    return (isScalar ? this.sublinks.get(link)?.list[0] : undefined) ?? this.values.create();
  }
}
