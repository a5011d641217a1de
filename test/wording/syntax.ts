import {parseAst} from 'rolldown/parseAst';

/** A node of the syntax tree, with only the properties that are used. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly value?: unknown;
  readonly name?: unknown;
  /** The name of an object's member, or of a property access. */
  readonly key?: Node;
  readonly property?: Node;
  readonly quasis?: readonly Quasi[];
}

/** Text of a template between its expressions; its range includes the delimiters. */
interface Quasi {
  readonly start: number;
  readonly end: number;
  readonly tail: boolean;
  readonly value: {readonly cooked: string};
}

/** Calls `visit` for every executed node of a TypeScript module, leaving out types and imports. */
export function walk(code: string, visit: (node: Node) => void): void {
  walkFrom(parseAst(code, {lang: 'ts'}) as unknown as Node, visit);
}

function walkFrom(node: Node, visit: (node: Node) => void): void {
  if (node.type === 'ImportDeclaration' || isType(node)) return;
  visit(node);
  for (const child of Object.values(node).flat()) if (isNode(child)) walkFrom(child, visit);
}

const RUNS: readonly string[] = ['TSNonNullExpression', 'TSAsExpression', 'TSSatisfiesExpression'];

function isType({type}: Node): boolean {
  return type.startsWith('TS') && !RUNS.includes(type);
}

function isNode(value: unknown): value is Node {
  return typeof (value as Partial<Node> | null)?.type === 'string';
}
