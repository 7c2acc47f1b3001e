/** One part of an Accept header: the value in lower case, and its weight from 0 (not wanted) to 1. */
interface Preference {
  readonly value: string;
  readonly quality: number;
}

const longestHeader = 512;

/** Returns the parts of a header of content negotiation in their order (RFC 9110 §12.4.2). Text after 512 characters is not read. */
export const preferencesIn = (header: string): readonly Preference[] =>
  header
    .slice(0, longestHeader)
    .split(",")
    .map((part) => {
      const [value = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      return { value, quality: weight === undefined ? 1 : Number(weight.slice(2)) || 0 };
    });
