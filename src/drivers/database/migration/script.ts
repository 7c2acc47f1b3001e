// Strings, quoted names, comments and dollar-quoted bodies hide the semicolons inside them.
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|(\$\w*\$)[\s\S]*?\1|;|\w+|\s+|[\s\S]/g;
const createsTrigger = /^create\s+(?:temp\s+|temporary\s+)?trigger\b/;

/** Returns the statements of a script, without spaces and comments around them. A trigger's body ends with `; end;`. */
export function splitStatements(script: string): string[] {
  const statements: string[] = [];
  let text = "";
  let words: string[] = [];

  function finish(): void {
    if (words.length > 0) statements.push(text.trim());
    text = "";
    words = [];
  }

  for (const [part] of script.matchAll(token)) {
    const isCode = !/^(?:\s|--|\/\*)/.test(part);
    if (part === ";" && !insideTrigger(words)) {
      finish();
      continue;
    }
    text += part;
    if (isCode) words.push(part.toLowerCase());
  }
  finish();
  return statements;
}

function insideTrigger(words: readonly string[]): boolean {
  if (!createsTrigger.test(words.slice(0, 3).join(" ")) || !words.includes("begin")) return false;
  return !(words.at(-1) === "end" && words.at(-2) === ";");
}
