import { t } from "elysia";

/** An answer that says only that the request was done. */
export const Ok = t.Object({ ok: t.Literal(true) }, { title: "Done" });

/** The format is for readers alone: checking it costs an answer with four timestamps as much as reading its row. */
export const Timestamp = t.String({ documented: { format: "date-time" }, description: "RFC 3339, UTC" });

export const nullable = <T extends Parameters<typeof t.Union>[0][number]>(schema: T) => t.Union([schema, t.Null()]);
