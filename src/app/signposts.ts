import type { Signpost } from "../account/index.ts";
import { keepsMails, type Config } from "../config/index.ts";

/** Where the secret itself is: neither a page nor a terminal, whose output is kept, is the place for it. */
const lighthouseKey = "LIGHTHOUSE_SECRET, in .env.local unless you have set it";

interface LocalSignpost extends Signpost {
  /** Where to find what the page asks for. */
  readonly key?: string;
}

/** Where everything is on a developer's machine: for its start page, and for the start to print. */
export const signpostsOf = (config: Config): readonly LocalSignpost[] => [
  { path: "/login", label: "Sign in", about: "The account pages: sign in, register, your account." },
  ...(config.http.docsEnabled
    ? [{ path: "/openapi", label: "API reference", about: "Every route, to read and to try." }]
    : []),
  ...(keepsMails(config)
    ? [{ path: "/mails", label: "Mails", about: "What would have been sent, with links that work." }]
    : []),
  ...(config.lighthouse.secret === ""
    ? []
    : [
        {
          path: "/lighthouse",
          label: "Lighthouse",
          about: `What every request did. Its secret: ${lighthouseKey}.`,
          key: lighthouseKey,
        },
      ]),
];
