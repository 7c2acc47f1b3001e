import { isIP } from "node:net";
import { accepts, type Kind } from "./kinds.ts";

/** As Amazon names buckets; other servers take the same names. */
export const bucket: Kind<string> = {
  complaint: accepts(
    (value) => /^[a-z\d](?:[a-z\d]|[.-](?![.-])){1,61}[a-z\d]$/.test(value) && isIP(value) === 0,
    "must be the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens",
  ),
  read: (value) => value,
};

export const region: Kind<string> = {
  complaint: accepts((value) => /^[a-z\d-]{1,40}$/.test(value), "must be a region such as eu-central-1 or auto"),
  read: (value) => value,
};

/** The beginning of names of files, without a slash at its end. */
export const fileName: Kind<string> = {
  complaint: accepts(
    (value) => /^[A-Za-z\d][\w.-]{0,99}(?:\/[A-Za-z\d][\w.-]{0,99}){0,7}$/.test(value),
    "must be names of letters, digits, dots, underscores and hyphens with slashes between, such as gatehouse/production",
  ),
  read: (value) => value,
};
