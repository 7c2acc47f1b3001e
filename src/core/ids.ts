/** Sorts after every id. */
export const afterAllIds = "g";

/** Returns a UUIDv7 (RFC 9562), which sorts by creation time. */
export const newId = (): string => Bun.randomUUIDv7();

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
export const isId = (text: string): boolean => uuid.test(text);
