const segment = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;
const longestSegment = 200;
const longestName = 512;
const mostSegments = 16;
export const mostListed = 1_000;

/** Returns whether a text may be a segment. None begins with a dot, so that neither `..` nor a driver's own files can be named. */
export const isSegment = (text: string): boolean => text.length <= longestSegment && segment.test(text);

export function isName(text: string): boolean {
  const segments = text.split("/");
  return text.length <= longestName && segments.length <= mostSegments && segments.every(isSegment);
}

/** Returns the segments of a name. Throws TypeError where it is none. */
export function checkName(name: string): readonly string[] {
  if (!isName(name)) {
    throw new TypeError(
      `${JSON.stringify(name.slice(0, 100))} is not a file name: segments of letters, digits, ".", "_" and "-", ` +
        `none with a dot in front, ${mostSegments} at most, ${longestName} characters in all`,
    );
  }
  return name.split("/");
}

export function checkLimit(limit: number): number {
  if (!Number.isInteger(limit) || limit < 1 || limit > mostListed) {
    throw new TypeError(`a page holds 1 to ${mostListed} files, not ${limit}`);
  }
  return limit;
}
