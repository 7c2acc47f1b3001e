/** Names in a PromQL expression. */
export interface ExpressionNames {
  readonly metrics: readonly string[];
  /** Label names in selectors and groupings. */
  readonly labels: readonly string[];
  /** Values that selectors require: those of `=`, and the alternatives of a plain `=~`. */
  readonly values: readonly { readonly label: string; readonly value: string }[];
}

const words = new Set([
  "and",
  "or",
  "unless",
  "by",
  "without",
  "on",
  "ignoring",
  "group_left",
  "group_right",
  "bool",
  "offset",
]);
const functions = new Set(
  "sum count avg min max topk bottomk rate irate increase delta histogram_quantile absent time label_values clamp_max clamp_min".split(
    " ",
  ),
);
const token =
  /\s+|"(?:[^"\\]|\\.)*"|\$?[A-Za-z_][A-Za-z0-9_]*|\d+(?:\.\d+)?[smhdw]?|=~|!~|!=|==|>=|<=|[-+*/%^=<>(){}[\],:]/y;

function tokens(expression: string): string[] {
  const found: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < expression.length) {
    const at = token.lastIndex;
    const [text] = token.exec(expression) ?? [];
    if (text === undefined) throw new Error(`not PromQL from ${JSON.stringify(expression.slice(at, at + 20))} on`);
    if (text.trim() !== "") found.push(text);
  }
  return found;
}

const closes: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{" };

function checkBrackets(found: readonly string[]): void {
  const open: string[] = [];
  for (const text of found) {
    if (["(", "[", "{"].includes(text)) open.push(text);
    else if (closes[text] !== undefined && open.pop() !== closes[text]) throw new Error(`"${text}" closes nothing`);
  }
  if (open.length > 0) throw new Error(`"${open.join()}" is not closed`);
}

/**
 * Reads the names of an expression, so that misspelt ones can be found. Throws on unbalanced brackets and unknown functions. This is no
 * full parser.
 */
export function readExpression(expression: string): ExpressionNames {
  const found = tokens(expression);
  checkBrackets(found);
  const metrics: string[] = [];
  const labels: string[] = [];
  const values: { label: string; value: string }[] = [];
  let inside: "selector" | "range" | "grouping" | undefined;
  for (const [at, text] of found.entries()) {
    const next = found[at + 1];
    if (text === "{") inside = "selector";
    else if (text === "[") inside = "range";
    else if (text === "(" && ["by", "without", "on", "ignoring"].includes(found[at - 1] ?? "")) inside = "grouping";
    else if (["}", "]", ")"].includes(text)) inside = undefined;
    else if (!/^[A-Za-z_]/.test(text) || inside === "range") continue;
    else if (inside !== undefined) {
      labels.push(text);
      if (inside === "selector") values.push(...valuesOf(text, next, found[at + 2]));
    } else if (next === "(" && !words.has(text)) {
      if (!functions.has(text)) throw new Error(`${text} is not a function`);
    } else if (!words.has(text) && !functions.has(text)) metrics.push(text);
  }
  return { metrics, labels, values };
}

function valuesOf(label: string, operator: string | undefined, quoted: string | undefined) {
  if (operator === undefined || !["=", "!=", "=~", "!~"].includes(operator) || quoted?.startsWith('"') !== true)
    throw new Error(`the selector of ${label} has no value`);
  const value = quoted.slice(1, -1);
  // A pattern or a variable of the dashboard matches more than its own text.
  if (!/^[\w:./|-]+$/.test(value) || (/\./.test(value) && operator.endsWith("~"))) return [];
  return value.split("|").map((alternative) => ({ label, value: alternative }));
}
