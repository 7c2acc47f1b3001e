/** Tells which requests, jobs and calls belong together (W3C Trace Context, version 00). */
export interface Trace {
  /** 32 hexadecimal digits that all parts of the trace share. */
  readonly traceId: string;
  /** 16 hexadecimal digits that name this part. */
  readonly spanId: string;
  /** The part that caused this one, where known. */
  readonly parentId: string | undefined;
}

const header = /^(?!ff)([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-[\da-f]{2}(-.*)?$/;
const traceIdForm = /^[\da-f]{32}$/;
const nothing = /^0+$/;
const longestHeader = 512;

const randomHex = (bytes: number): string => crypto.getRandomValues(new Uint8Array(bytes)).toHex();

export const isTraceId = (text: string): boolean => traceIdForm.test(text) && !nothing.test(text);

/** Continues the trace that `traceparent` names, or begins a new one where the header is not well-formed (W3C Trace Context §4.3). */
export function traceOf(traceparent: string | null | undefined): Trace {
  const text = traceparent ?? "";
  const [, version, traceId = "", parentId = "", rest] = (text.length <= longestHeader && header.exec(text)) || [];
  const isValid =
    version !== undefined &&
    !nothing.test(traceId) &&
    !nothing.test(parentId) &&
    (version !== "00" || rest === undefined);
  return isValid ? { traceId, spanId: randomHex(8), parentId } : newTrace();
}

/** Returns a part of the trace with this id, or of a new trace. */
export const newTrace = (traceId: string = randomHex(16)): Trace => ({
  traceId,
  spanId: randomHex(8),
  parentId: undefined,
});

/** Returns the header for a call to another service. The last field says that the caller keeps a record. */
export const traceparent = ({ traceId, spanId }: Trace): string => `00-${traceId}-${spanId}-01`;
