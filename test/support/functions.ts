import { parseSync, Visitor } from "oxc-parser";

export interface FunctionSpan {
  /** The function's own name, or that of the variable that it is assigned to; `(anonymous)` otherwise. */
  readonly name: string;
  readonly line: number;
  readonly lines: number;
}

/** Returns every function of a source file, including inner ones, with the lines from its name to its end. Throws on a syntax error. */
export function functionsOf(path: string, text: string): readonly FunctionSpan[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} can't be parsed: ${errors[0]?.message}`);
  const names = new Map<number, { readonly name: string; readonly start: number }>();
  const spans: FunctionSpan[] = [];
  const lineOf = (offset: number): number => text.slice(0, offset).split("\n").length;

  function keep(at: { readonly start: number; readonly end: number }, ownName?: string): void {
    const given = names.get(at.start);
    const start = given?.start ?? at.start;
    const line = lineOf(start);
    spans.push({ name: ownName ?? given?.name ?? "(anonymous)", line, lines: lineOf(at.end) - line + 1 });
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
    FunctionDeclaration: (node) => keep(node, node.id?.name),
    FunctionExpression: (node) => keep(node),
    ArrowFunctionExpression: (node) => keep(node),
  }).visit(program);
  return spans;
}
