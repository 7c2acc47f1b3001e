import { Type } from "@sinclair/typebox";
import { jsonAs } from "../../core/text/json.ts";
import type { Terminal } from "../command.ts";

/** Pairs: where a folder appears to this process, and its caller's name of it. */
const Folders = Type.Array(Type.Tuple([Type.String(), Type.String()]));

/**
 * Returns a terminal that calls files of the caller as the caller does, for a command whose caller has opened them and handed them over in
 * folders of other names.
 */
export function withCallersNames(terminal: Terminal, folders: string): Terminal {
  const pairs = jsonAs(Folders, folders) ?? [];
  const named = (text: string): string =>
    pairs.reduce((said, [seen, callers]) => {
      const folder = callers === "/" ? "" : callers;
      // What is an object of JSON stays one.
      const written = /^[{[]/.test(said) ? JSON.stringify(folder).slice(1, -1) : folder;
      return said.replaceAll(`${seen}/`, () => `${written}/`);
    }, text);
  const { log, draw } = terminal;
  return {
    ...terminal,
    // Getters are asked only where they are used: the runtime's streams take a while to load.
    get ask() {
      return terminal.ask;
    },
    get columns() {
      return terminal.columns;
    },
    out: (text) => terminal.out(named(text)),
    err: (text) => terminal.err(named(text)),
    ...(log !== undefined && { log: (line, to) => log(named(line), to) }),
    ...(draw !== undefined && { draw: (text: string) => draw(named(text)) }),
  };
}
