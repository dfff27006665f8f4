import ts from 'typescript';

/** Which text a statement has, when it depends on conditions. */
export interface Branch {
  /** The branch of each condition, or the last one; `filled` is the first one that is not empty. */
  readonly condition: number | 'filled';
  /** The `return` of a function that builds a fragment, or its last one. */
  readonly returned: number;
}

export interface ResolveOptions {
  readonly branch: Branch;
  /** Gives equal values the same placeholder, as far as the source shows that they are equal. */
  readonly sharesPlaceholders: boolean;
}

/** The text of a statement, and the templates that it is made of. */
export interface StatementText {
  readonly text: string;
  readonly templates: readonly ts.TaggedTemplateExpression[];
}

/** Thrown inside this file for a statement whose text is only known at run time. */
class BuiltAtRunTime extends Error {}

/** A value in the function that knows it; with `member`, that property of the value. */
interface Bound {
  readonly expression: ts.Expression;
  readonly scope: Arguments;
  readonly member?: string;
}

/** Values of the parameters of functions that build a statement, while their text is resolved. */
type Arguments = ReadonlyMap<ts.Symbol, Bound>;

interface Resolution extends ResolveOptions {
  readonly checker: ts.TypeChecker;
  readonly templates: ts.TaggedTemplateExpression[];
  /** The numbers of placeholders by value. */
  readonly placeholders: Map<string, number>;
}

/**
 * The text of a statement of the sources. Fragments are inlined: constants, functions that return one statement, and one
 * branch of a condition.
 *
 * @returns undefined when the text is only known at run time
 */
export function textOfStatement(
  statement: ts.Expression,
  checker: ts.TypeChecker,
  options: ResolveOptions,
): StatementText | undefined {
  const templates: ts.TaggedTemplateExpression[] = [];
  try {
    const text = resolve(statement, new Map(), { ...options, checker, templates, placeholders: new Map() });
    return { text, templates };
  } catch (error) {
    if (error instanceof BuiltAtRunTime) return undefined;
    throw error;
  }
}

function resolve(expression: ts.Expression, scope: Arguments, resolution: Resolution): string {
  if (ts.isParenthesizedExpression(expression)) return resolve(expression.expression, scope, resolution);
  if (ts.isTaggedTemplateExpression(expression)) return resolveTemplate(expression, scope, resolution);
  if (ts.isConditionalExpression(expression)) return resolveCondition(expression, scope, resolution);
  if (ts.isCallExpression(expression)) return resolveCall(expression, scope, resolution);
  if (ts.isIdentifier(expression)) return resolveName(expression, scope, resolution);
  if (ts.isPropertyAccessExpression(expression)) return resolveMember(expression, scope, resolution);
  throw new BuiltAtRunTime(expression.getText());
}

function resolveTemplate(tagged: ts.TaggedTemplateExpression, scope: Arguments, resolution: Resolution): string {
  resolution.templates.push(tagged);
  const { template } = tagged;
  if (ts.isNoSubstitutionTemplateLiteral(template)) return template.text;
  return template.templateSpans.reduce((text, { expression, literal }) => {
    const isFragment = resolution.checker.getTypeAtLocation(expression).symbol?.name === 'Statement';
    const value = isFragment ? resolve(expression, scope, resolution) : placeholderOf(expression, scope, resolution);
    return text + value + literal.text;
  }, template.head.text);
}

function placeholderOf(value: ts.Expression, scope: Arguments, resolution: Resolution): string {
  const { placeholders, sharesPlaceholders } = resolution;
  const key = sharesPlaceholders ? identityOf(value, scope, resolution) : String(placeholders.size);
  const number = placeholders.get(key) ?? placeholders.size + 1;
  placeholders.set(key, number);
  return `$${number}`;
}

/** Equal for two expressions that have the same value in one execution: the same name, or members of the same name. */
function identityOf(value: ts.Expression, scope: Arguments, resolution: Resolution): string {
  if (ts.isPropertyAccessExpression(value))
    return identityOfMember(value.expression, value.name.text, scope, resolution);
  if (!ts.isIdentifier(value)) return `${value.getSourceFile().fileName}:${value.getStart()}`;
  const symbol = targetOf(value, resolution.checker);
  const bound = symbol && scope.get(symbol);
  if (bound?.member !== undefined) return identityOfMember(bound.expression, bound.member, bound.scope, resolution);
  if (bound !== undefined) return identityOf(bound.expression, bound.scope, resolution);
  const declaration = symbol?.valueDeclaration;
  const object = declaration && ts.isBindingElement(declaration) && declaration.parent.parent;
  if (object && ts.isVariableDeclaration(object) && object.initializer) {
    return identityOfMember(object.initializer, nameOfElement(declaration), scope, resolution);
  }
  return `${declaration?.getSourceFile().fileName}:${declaration?.getStart()}`;
}

function identityOfMember(object: ts.Expression, name: string, scope: Arguments, resolution: Resolution): string {
  const bound = memberOf(object, name, scope, resolution.checker);
  if (bound !== undefined) return identityOf(bound.expression, bound.scope, resolution);
  return `${identityOf(object, scope, resolution)}.${name}`;
}

function resolveCondition(expression: ts.ConditionalExpression, scope: Arguments, resolution: Resolution): string {
  const branches = branchesOf(expression);
  const { condition } = resolution.branch;
  const wanted = condition === 'filled' ? branches.findIndex(branch => !isEmptyTemplate(branch)) : condition;
  return resolve(branches[wanted] ?? (branches.at(-1) as ts.Expression), scope, resolution);
}

/** The branches of a condition, and of the conditions in them. */
function branchesOf(expression: ts.Expression): ts.Expression[] {
  if (!ts.isConditionalExpression(expression)) return [expression];
  return [expression.whenTrue, expression.whenFalse].flatMap(branchesOf);
}

/** Whether a template has no text. */
export function isEmptyTemplate(expression: ts.Expression): boolean {
  return ts.isTaggedTemplateExpression(expression) && expression.template.getText() === '``';
}

function resolveName(name: ts.Identifier, scope: Arguments, resolution: Resolution): string {
  const symbol = targetOf(name, resolution.checker);
  const bound = symbol && scope.get(symbol);
  if (bound !== undefined) return resolveBound(bound, resolution);
  const declaration = symbol?.valueDeclaration;
  if (declaration === undefined) throw new BuiltAtRunTime(name.text);
  if (!ts.isVariableDeclaration(declaration) && !ts.isParameter(declaration)) throw new BuiltAtRunTime(name.text);
  if (declaration.initializer === undefined) throw new BuiltAtRunTime(name.text);
  return resolve(declaration.initializer, scope, resolution);
}

function resolveBound({ expression, scope, member }: Bound, resolution: Resolution): string {
  if (member === undefined) return resolve(expression, scope, resolution);
  const bound = memberOf(expression, member, scope, resolution.checker);
  if (bound === undefined) throw new BuiltAtRunTime(`${expression.getText()}.${member}`);
  return resolveBound(bound, resolution);
}

function resolveMember(member: ts.PropertyAccessExpression, scope: Arguments, resolution: Resolution): string {
  return resolveBound({ expression: member.expression, scope, member: member.name.text }, resolution);
}

/** A member of an object that the sources write out; undefined for other objects. */
function memberOf(object: ts.Expression, name: string, scope: Arguments, checker: ts.TypeChecker): Bound | undefined {
  if (ts.isIdentifier(object)) {
    const symbol = targetOf(object, checker);
    const bound = symbol && scope.get(symbol);
    if (bound?.member !== undefined) return undefined;
    if (bound !== undefined) return memberOf(bound.expression, name, bound.scope, checker);
    const declaration = symbol?.valueDeclaration;
    const isConstant = declaration && ts.isVariableDeclaration(declaration) && declaration.initializer;
    return isConstant ? memberOf(isConstant, name, scope, checker) : undefined;
  }
  if (ts.isAsExpression(object) || ts.isSatisfiesExpression(object))
    return memberOf(object.expression, name, scope, checker);
  if (!ts.isObjectLiteralExpression(object)) return undefined;
  const property = object.properties.find(one => one.name?.getText() === name);
  if (property && ts.isPropertyAssignment(property)) return { expression: property.initializer, scope };
  return property && ts.isShorthandPropertyAssignment(property) ? { expression: property.name, scope } : undefined;
}

function resolveCall(call: ts.CallExpression, scope: Arguments, resolution: Resolution): string {
  if (!ts.isIdentifier(call.expression)) throw new BuiltAtRunTime(call.getText());
  if (call.expression.text === 'withoutName' && call.arguments[0]) return resolve(call.arguments[0], scope, resolution);
  const declared = targetOf(call.expression, resolution.checker)?.valueDeclaration;
  const built = declared && ts.isVariableDeclaration(declared) ? declared.initializer : declared;
  if (!built || !(ts.isFunctionDeclaration(built) || ts.isArrowFunction(built)))
    throw new BuiltAtRunTime(call.getText());
  const returned = returnOf(built, resolution.branch.returned);
  if (returned === undefined) throw new BuiltAtRunTime(call.getText());
  const given = new Map<ts.Symbol, Bound>();
  built.parameters.forEach(({ name }, index) => {
    const expression = call.arguments[index];
    if (expression) bind(name, { expression, scope }, given, resolution.checker);
  });
  return resolve(returned, given, resolution);
}

function bind(name: ts.BindingName, bound: Bound, given: Map<ts.Symbol, Bound>, checker: ts.TypeChecker): void {
  if (ts.isArrayBindingPattern(name)) return;
  if (ts.isIdentifier(name)) {
    const symbol = checker.getSymbolAtLocation(name);
    if (symbol) given.set(symbol, bound);
    return;
  }
  for (const element of name.elements) {
    if (element.dotDotDotToken || !ts.isIdentifier(element.name)) continue;
    bind(element.name, { ...bound, member: nameOfElement(element) }, given, checker);
  }
}

function nameOfElement({ propertyName, name }: ts.BindingElement): string {
  return (propertyName ?? name).getText();
}

function returnOf({ body }: ts.FunctionDeclaration | ts.ArrowFunction, wanted: number): ts.Expression | undefined {
  if (body !== undefined && !ts.isBlock(body)) return body;
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return;
    if (ts.isReturnStatement(node) && node.expression) found.push(node.expression);
    ts.forEachChild(node, visit);
  };
  if (body !== undefined) ts.forEachChild(body, visit);
  return found[wanted] ?? found.at(-1);
}

function targetOf(name: ts.Identifier, checker: ts.TypeChecker): ts.Symbol | undefined {
  const symbol = checker.getSymbolAtLocation(name);
  if (symbol === undefined) return undefined;
  if (symbol.valueDeclaration !== undefined && ts.isShorthandPropertyAssignment(symbol.valueDeclaration)) {
    return checker.getShorthandAssignmentValueSymbol(symbol.valueDeclaration);
  }
  return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
}
