import { contract, type Mutation } from "./mutation.ts";

/** Over maintenance. */
export const maintenanceMutations: readonly Mutation[] = [
  {
    name: "what can't be read counts as no maintenance",
    file: "src/maintenance/knowledge.ts",
    from: '? undefined : position !== "off"',
    to: '? undefined : position === "on"',
    tests: ["test/unit/maintenance.test.ts"],
  },
  {
    name: "a read that began before a write ended undoes it",
    file: "src/maintenance/knowledge.ts",
    from: "began <= writtenAt || at < since",
    to: "at < since",
    tests: ["test/unit/maintenance.test.ts"],
  },
  {
    name: "an older read overwrites what is newer",
    file: "src/maintenance/knowledge.ts",
    from: "began <= writtenAt || at < since",
    to: "began <= writtenAt",
    tests: ["test/unit/maintenance.test.ts"],
  },
  {
    name: "a write counts from its end, so that another process's is missed",
    file: "src/maintenance/knowledge.ts",
    from: "since: happening.began,\n        writtenAt",
    to: "since: happening.ended,\n        writtenAt",
    tests: ["test/unit/maintenance.test.ts"],
  },
  {
    name: "a request is decided by knowledge of any age",
    file: "src/maintenance/knowledge.ts",
    from: "now - known.since > longestAgeMs ? undefined",
    to: "now - known.since < 0 ? undefined",
    tests: ["test/unit/maintenance.test.ts"],
  },
  {
    name: "the switch is never read again",
    file: "src/maintenance/knowledge.ts",
    from: "now - since > refreshAgeMs",
    to: "now - since < 0",
    tests: ["test/unit/maintenance.test.ts"],
  },
  {
    name: "a failed read leaves the switch as it was",
    file: "src/maintenance/knowledge.ts",
    from: 'stored: "unreadable", since: happening.at };\n    case "no answer"',
    to: 'stored: known.stored, since: happening.at };\n    case "no answer"',
    tests: ["test/unit/maintenance.test.ts"],
  },
  {
    name: "probes are refused during maintenance",
    file: "src/maintenance/gate.ts",
    from: 'path.startsWith("/-/") || path',
    to: "path",
    tests: contract("maintenance/maintenance"),
  },
  {
    name: "a browser asks for JSON and gets the page",
    file: "src/maintenance/gate.ts",
    from: 'return json > 0 && json >= wish("text/html");',
    to: 'return json > 0 && json > wish("text/html");',
    tests: contract("maintenance/maintenance"),
  },
  {
    name: "the control answers whoever a proxy speaks for",
    file: "src/maintenance/locality.ts",
    from: "isForwarded(request) || browsers.some((name) => request.headers.has(name))",
    to: "browsers.some((name) => request.headers.has(name))",
    tests: contract("maintenance/control"),
  },
  {
    name: "the control answers a page in the operator's browser",
    file: "src/maintenance/locality.ts",
    from: "isForwarded(request) || browsers.some((name) => request.headers.has(name))",
    to: "isForwarded(request)",
    tests: contract("maintenance/control"),
  },
];
