import { AsyncLocalStorage } from "node:async_hooks";
import { dirname, join, relative } from "node:path";
import { plugin } from "bun";
import { parseSync, Visitor, type ArrowFunctionExpression, type Function as AnyFunction } from "oxc-parser";

/** A function of `src`, by its file below `src`. */
interface Place {
  readonly file: string;
  readonly name: string;
  readonly line: number;
}

/** One call of a function of `src`. */
export interface Call {
  readonly callee: Place;
  /** The function that called it, across awaits; undefined where it is the runtime. */
  readonly caller: Place | undefined;
}

interface Frame {
  readonly place: Place;
  /** The calls of the request that this one belongs to. */
  readonly calls: Call[] | undefined;
}

const source = join(import.meta.dir, "..", "..", "src");
/** The function by which every request comes in. */
const entrance = { file: "http/server.ts", name: "handle" } as const;

const places: Place[] = [];
const frames = new AsyncLocalStorage<Frame>();
let requests: Call[][] = [];

/** Forgets what was recorded, runs the work, and returns the calls of each request that came in meanwhile. */
export async function callsOfRequests(work: () => Promise<void>): Promise<readonly (readonly Call[])[]> {
  requests = [];
  await work();
  return requests;
}

function callsOf({ file, name }: Place, caller: Frame | undefined): Call[] | undefined {
  if (file !== entrance.file || name !== entrance.name) return caller?.calls;
  const calls: Call[] = [];
  requests.push(calls);
  return calls;
}

/** Runs the body of a function, which the loader below has put into an arrow function. */
function enter<T>(id: number, body: () => T): T {
  const place = places[id];
  if (place === undefined) throw new Error(`no function has the number ${id}`);
  const caller = frames.getStore();
  const calls = callsOf(place, caller);
  calls?.push({ callee: place, caller: caller?.place });
  return frames.run({ place, calls }, body);
}

/** Returns the text of a source file in which every function but a generator records that it was called. */
function instrumented(path: string, text: string): string {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} can't be parsed: ${errors[0]?.message}`);
  const names = new Map<number, string>();
  const insertions: { readonly at: number; readonly code: string }[] = [];

  function wrap({ id, start, body, async: isAsync, generator }: AnyFunction | ArrowFunctionExpression): void {
    if (body === null || generator) return;
    const name = id?.name ?? names.get(start) ?? "(anonymous)";
    const line = text.slice(0, start).split("\n").length;
    const number = places.push({ file: relative(source, path), name, line }) - 1;
    const head = `__enter(${number}, ${isAsync ? "async " : ""}() =>`;
    if (body.type === "BlockStatement") {
      insertions.push({ at: body.start + 1, code: `return ${head} {` }, { at: body.end - 1, code: "});" });
    } else insertions.push({ at: body.start, code: `${head} (` }, { at: body.end, code: "))" });
  }

  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type === "Identifier" && init !== null) names.set(init.start, id.name);
    },
    Property({ key, value }) {
      if (key.type === "Identifier") names.set(value.start, key.name);
    },
    FunctionDeclaration: wrap,
    FunctionExpression: wrap,
    ArrowFunctionExpression: wrap,
  }).visit(program);

  let copied = 0;
  const parts = insertions
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, code }) => {
      const before = text.slice(copied, at);
      copied = at;
      return before + code;
    });
  return parts.join("") + text.slice(copied);
}

Object.assign(globalThis, { __enter: enter });
plugin({
  name: "calls of src",
  setup({ onLoad }) {
    onLoad({ filter: /\/src\/.*\.tsx?$/ }, async ({ path, loader }) => {
      const text = await Bun.file(path).text();
      return { contents: path.startsWith(source) ? instrumented(path, text) : text, loader };
    });
  },
});

/** A room is the folder of a file. */
const roomOf = ({ file }: Place): string => dirname(file);

export function measured(calls: readonly Call[]) {
  const isFarFrom = (a: Place | undefined, b: Place): boolean => a !== undefined && roomOf(a) !== roomOf(b);
  return {
    calls: calls.length,
    files: new Set(calls.map(({ callee }) => callee.file)).size,
    /** How often somebody who follows the calls in their order comes to another room, into a function or back out of one. */
    moves: calls.filter(({ callee }, index) => isFarFrom(calls[index - 1]?.callee, callee)).length,
    /** How many functions lie in another room than their caller. */
    crossings: calls.filter(({ caller, callee }) => isFarFrom(caller, callee)).length,
  };
}
