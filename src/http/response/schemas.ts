import { t } from "elysia";

/** An answer that says only that the request was done. */
export const Ok = t.Object({ ok: t.Literal(true) }, { title: "Done" });

export const Timestamp = t.String({ format: "date-time", description: "RFC 3339, UTC" });

export const nullable = <T extends Parameters<typeof t.Union>[0][number]>(schema: T) => t.Union([schema, t.Null()]);
