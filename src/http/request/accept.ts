/** What one part of an Accept header asks for, in lower case, and how much it is wanted: from 0, not at all, to 1. */
interface Preference {
  readonly value: string;
  readonly quality: number;
}

const longestHeader = 512;

/** The parts of a header of content negotiation, as they stand in it (RFC 9110 §12.4.2). What comes after 512 characters is not read. */
export const preferencesIn = (header: string): readonly Preference[] =>
  header
    .slice(0, longestHeader)
    .split(",")
    .map((part) => {
      const [value = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase());
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      return { value, quality: weight === undefined ? 1 : Number(weight.slice(2)) || 0 };
    });
