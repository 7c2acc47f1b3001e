import { parseSync, Visitor } from "oxc-parser";

export interface FunctionSpan {
  /** The function's own name, or that of the variable that it is assigned to; `(anonymous)` otherwise. */
  readonly name: string;
  readonly line: number;
  /** Its lines from its name to its end. Of a function inside it only the first line counts. */
  readonly ownLines: number;
}

/** Every function of a source file, inner ones included. Throws on a syntax error. */
export function functionsOf(path: string, text: string): readonly FunctionSpan[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} can't be parsed: ${errors[0]?.message}`);
  const names = new Map<number, { readonly name: string; readonly start: number }>();
  const spans: FunctionSpan[] = [];
  /** How many lines the functions within each open function have besides their first ones; the innermost is last. */
  const open: number[] = [];
  const lineOf = (offset: number): number => text.slice(0, offset).split("\n").length;

  const enter = (): void => void open.push(0);
  function leave(at: { readonly start: number; readonly end: number }, ownName?: string): void {
    const given = names.get(at.start);
    const line = lineOf(given?.start ?? at.start);
    const lines = lineOf(at.end) - line + 1;
    spans.push({ name: ownName ?? given?.name ?? "(anonymous)", line, ownLines: lines - (open.pop() ?? 0) });
    const outer = open.pop();
    if (outer !== undefined) open.push(outer + lines - 1);
  }

  new Visitor({
    VariableDeclarator({ id, init, start }) {
      if (id.type === "Identifier" && init !== null) names.set(init.start, { name: id.name, start });
    },
    Property({ key, value, start }) {
      if (key.type === "Identifier" || key.type === "Literal")
        names.set(value.start, { name: key.type === "Identifier" ? key.name : String(key.value), start });
    },
    MethodDefinition({ key, value, start }) {
      if (key.type === "Identifier") names.set(value.start, { name: key.name, start });
    },
    FunctionDeclaration: enter,
    FunctionExpression: enter,
    ArrowFunctionExpression: enter,
    "FunctionDeclaration:exit": (node) => leave(node, node.id?.name),
    "FunctionExpression:exit": (node) => leave(node),
    "ArrowFunctionExpression:exit": (node) => leave(node),
  }).visit(program);
  return spans;
}
