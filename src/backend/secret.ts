import { randomToken } from "../core/crypto.ts";

/** The beginning shows a secret wherever it turns up: in a log, a repository, a paste. */
const form = /^gh_[\w-]{43}$/;

/** Returns a secret of 256 random bits. A secret is shown once and stored as a hash. */
export const newServiceSecret = (): string => `gh_${randomToken()}`;

/** Returns whether a text has the form of a secret and is worth a look into the database. */
export const isServiceSecret = (text: string): boolean => form.test(text);
