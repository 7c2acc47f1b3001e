export type LogLevel = "debug" | "info" | "warn" | "error";
export type LogFields = Readonly<Record<string, unknown>>;

/** The part of the log that writes on these levels: all that drivers, which know no other part, see of it. */
export type LogOn<Level extends LogLevel> = Readonly<Record<Level, (message: string, fields?: LogFields) => void>>;
