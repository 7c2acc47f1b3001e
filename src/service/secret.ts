import { randomToken } from "../core/crypto.ts";

/** By its beginning a secret is known for one wherever it turns up: in a log, a repository, a paste. */
const form = /^gh_[\w-]{43}$/;

/** 256 random bits. It is shown once and stored as a hash. */
export const newServiceSecret = (): string => `gh_${randomToken()}`;

/** Whether it is worth a look into the database. */
export const isServiceSecret = (text: string): boolean => form.test(text);
