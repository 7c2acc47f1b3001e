import { Type } from "@sinclair/typebox";
import { jsonAs } from "../../core/text/json.ts";

/** A line of the services' log, which in production is JSON with the stack of each error. */
const LogLine = Type.Object({
  level: Type.String(),
  message: Type.String(),
  error: Type.Optional(Type.Union([Type.String(), Type.Object({ message: Type.String() })])),
});

/** Makes a line of a journal readable: level, message and reason of a log line, any other line unchanged. */
export function readableLine(line: string): string {
  const read = line.startsWith("{") ? jsonAs(LogLine, line) : undefined;
  if (read === undefined) return line;
  const { level, message, error } = read;
  const reason = typeof error === "object" ? error.message : error;
  return `${level}: ${message}${reason === undefined ? "" : `: ${reason}`}`;
}
