import type { Config } from "./index.ts";
import { oauthSecrets } from "./oauth.ts";

/** Every secret value there is, for the log to keep out. */
export const secretValues = ({ app, auth, lighthouse, oauth, mail }: Config): readonly string[] =>
  [
    app.key,
    app.diagToken,
    lighthouse.secret,
    auth.jwtSecret,
    ...auth.jwtPreviousSecrets,
    auth.bootstrap?.password ?? "",
    mail.smtp.password,
    ...oauthSecrets(oauth),
  ].filter((value) => value !== "");
