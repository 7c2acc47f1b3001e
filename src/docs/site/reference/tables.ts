import { actionInWords } from "../../../audit/words.ts";
import { englishStaffWords } from "../../../words/staff.ts";
import { variables } from "../../../config/index.ts";
import { errors } from "../../../core/errors.ts";
import { topics } from "../../../core/topics.ts";
import { families } from "../../../observe/metrics/families.ts";
import { listOf, objectOf, textOf } from "./json.ts";

type Row = readonly string[];

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ");
const coded = (text: string): string => (text === "" ? "" : `\`${text}\``);

/** Writes a table of Markdown. */
export const table = (head: Row, rows: readonly Row[]): string =>
  [head, head.map(() => "---"), ...rows.map((row) => row.map(cell))].map((row) => `| ${row.join(" | ")} |`).join("\n");

/** Every variable with its default, in the groups of the configuration. */
export const variableTables = (): string =>
  [...Map.groupBy(variables, ({ group }) => group)]
    .map(([group, members]) => {
      const rows = members.map((variable) => [
        coded(variable.name),
        coded(variable.fallback ?? ""),
        `${"secret" in variable ? "*secret.* " : ""}${variable.description}`,
      ]);
      return `## ${group}\n\n${table(["variable", "default", "meaning"], rows)}`;
    })
    .join("\n\n");

/** Every code of a refusal, by its status. */
export const refusalTable = (): string => {
  const rows = Object.entries(errors).map(([code, [status, text]]) => [String(status), coded(code), text]);
  return table(["status", "code", "error"], rows);
};

/** Says in words what a field of a payload may be. */
function kindOf(schema: unknown): string {
  const { type, anyOf, items, minimum, maxLength } = objectOf(schema);
  const ways = listOf(anyOf);
  if (ways.length > 0) return ways.map(kindOf).join(" or ");
  if (type === "array") return `list of: ${kindOf(items)}`;
  const bounds = [
    ...(typeof minimum === "number" ? [`at least ${minimum}`] : []),
    ...(typeof maxLength === "number" ? [`at most ${maxLength} characters`] : []),
  ];
  return [textOf(type), ...bounds].join(", ");
}

/** Every event, and the fields of its payload. */
export const eventSections = (): string =>
  Object.entries(topics)
    .map(([topic, schema]) => {
      const needed = listOf(objectOf(schema)["required"]);
      const rows = Object.entries(schema.properties).map(([name, field]) => [
        coded(name),
        kindOf(field),
        needed.includes(name) ? "always" : "where there is one",
      ]);
      return `## ${topic}\n\n${actionInWords(topic, englishStaffWords().reasons)}.\n\n${table(["field", "kind", "there"], rows)}`;
    })
    .join("\n\n");

/** Every family of metrics. */
export const metricTable = (): string => {
  const rows = Object.entries(families).map(([name, family]) => [
    coded(name),
    family.type,
    family.labels.map((label) => coded(label)).join(", "),
    `${family.help}${"bounds" in family ? `. Buckets: ${family.bounds.join(", ")} s` : ""}`,
  ]);
  return table(["family", "type", "labels", "what it counts"], rows);
};
