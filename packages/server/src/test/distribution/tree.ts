/** The fields of PostgreSQL's parse tree that the analysis reads. A node has one field, named like its kind. */
export interface Node {
  readonly SelectStmt?: Query;
  readonly InsertStmt?: Query;
  readonly UpdateStmt?: Query;
  readonly DeleteStmt?: Query;
  readonly CommonTableExpr?: { readonly ctename: string; readonly ctequery: Node; readonly aliascolnames?: Node[] };
  readonly RangeVar?: Relation;
  readonly JoinExpr?: Join;
  readonly RangeSubselect?: { readonly subquery: Node; readonly alias?: Alias };
  readonly RangeFunction?: FunctionSource;
  readonly ResTarget?: { readonly name?: string; readonly val: Node };
  readonly ColumnDef?: { readonly colname: string };
  readonly ColumnRef?: { readonly fields: Node[] };
  readonly BoolExpr?: { readonly boolop: string; readonly args: Node[] };
  readonly A_Expr?: { readonly kind: string; readonly name: Node[]; readonly lexpr: Node; readonly rexpr: Node };
  readonly SubLink?: SubLink;
  readonly FuncCall?: { readonly funcname: Node[] };
  readonly RowExpr?: { readonly args: Node[] };
  readonly TypeCast?: { readonly arg: Node };
  readonly ParamRef?: { readonly number: number };
  readonly A_Const?: { readonly sval?: { readonly sval: string } };
  readonly List?: { readonly items: Node[] };
  readonly String?: { readonly sval: string };
}

/** The fields of the four kinds of queries. */
export interface Query {
  readonly withClause?: { readonly recursive?: boolean; readonly ctes: Node[] };
  readonly targetList?: Node[];
  readonly fromClause?: Node[];
  readonly usingClause?: Node[];
  readonly whereClause?: Node;
  readonly valuesLists?: Node[];
  /** The two sides of `union`, `intersect` and `except`. */
  readonly larg?: Query;
  readonly rarg?: Query;
  readonly relation?: Relation;
  readonly cols?: Node[];
  readonly selectStmt?: Node;
  readonly onConflictClause?: object;
  readonly returningClause?: { readonly exprs: Node[] };
}

export interface Relation {
  readonly schemaname?: string;
  readonly relname: string;
  readonly alias?: Alias;
}

interface Alias {
  readonly aliasname: string;
  readonly colnames?: Node[];
}

export interface Join {
  readonly isNatural?: boolean;
  readonly larg: Node;
  readonly rarg: Node;
  readonly usingClause?: Node[];
  readonly quals?: Node;
}

export interface FunctionSource {
  readonly functions: Node[];
  readonly alias?: Alias;
  readonly coldeflist?: Node[];
}

export interface SubLink {
  readonly subLinkType: string;
  readonly testexpr?: Node;
  readonly operName?: Node[];
  readonly subselect: Node;
}

/** The texts of a list of names. */
export function namesIn(nodes: readonly Node[] = []): string[] {
  return nodes.map(({ String: name }) => name?.sval ?? '*');
}

/** The parts of a column reference, with `*` for all columns; undefined for other expressions. */
export function namesOfColumn(expression: Node): string[] | undefined {
  return expression.ColumnRef && namesIn(expression.ColumnRef.fields);
}

/** The members of a row; a single value is a row of one. */
export function membersOf(expression: Node): readonly Node[] {
  return expression.RowExpr?.args ?? [expression];
}
