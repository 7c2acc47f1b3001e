import type { ResponseHead } from "../../../http/index.ts";
import { ConfirmTotpBody } from "../factor/mfa.routes.ts";
import type { Viewer } from "./page.auth.ts";
import { parsedCredential, readForm } from "./page.form.ts";
import { PasskeyLoginBody, RegisterPasskeyBody, RenamePasskeyBody } from "../factor/passkey.schemas.ts";
import type { Parts } from "../parts.ts";

export type PageFactors = ReturnType<typeof createPageFactors>;

/** Browsers name no origin when they load a page. Its script offers no passkeys where they can't be used. */
const noOrigin = null;

/**
 * Serves pages that the server writes about the viewer's own second factors, and about signing in with a passkey. Every refusal is thrown
 * as AppError.
 */
export function createPageFactors(
  options: Parts<"factors" | "passkeys" | "passkeyLogin" | "browsers" | "cookies" | "clientOf">,
) {
  const { factors, passkeys, passkeyLogin, browsers, cookies, clientOf } = options;
  return {
    overview: ({ session }: Viewer) => factors.overview(session),

    beginTotp: ({ session }: Viewer) => factors.beginTotp(session),

    /** Returns the set-up for the field `secret`, which its page has kept. Undefined where the secret was made up. */
    shownTotp: ({ session }: Viewer, form: URLSearchParams) => factors.shownTotp(session, form.get("secret") ?? ""),

    /** Confirms the app by the field `code`. Resolves to the recovery codes, which are shown this once. */
    async confirmTotp(request: Request, { session }: Viewer, form: URLSearchParams) {
      const { code } = await readForm(ConfirmTotpBody, form);
      return factors.confirmTotp(session, code, clientOf(request));
    },

    removeTotp: (request: Request, { session }: Viewer) => factors.removeTotp(session, clientOf(request)),

    remakeCodes: (request: Request, { session }: Viewer) => factors.remakeCodes(session, clientOf(request)),

    creationOptions: ({ session }: Viewer) => passkeys.registrationOptions(session, noOrigin),

    /** Takes the fields `credential` (JSON as text) and `name`. */
    async addPasskey(request: Request, { session }: Viewer, form: URLSearchParams) {
      return passkeys.register(session, await readForm(RegisterPasskeyBody, form, parsedCredential), clientOf(request));
    },

    async renamePasskey(request: Request, { session }: Viewer, id: string, form: URLSearchParams) {
      const { name } = await readForm(RenamePasskeyBody, form);
      return passkeys.rename(session, id, name, clientOf(request));
    },

    removePasskey: (request: Request, { session }: Viewer, id: string) =>
      passkeys.remove(session, id, clientOf(request)),

    /** Returns what a browser needs in order to ask for the passkey of a person who is not signed in. */
    requestOptions: (request: Request, head: ResponseHead) =>
      passkeyLogin.options(browsers.bind(head, request), noOrigin),

    /** Takes the fields `credential` (JSON as text) and `remember`. */
    async signIn(request: Request, head: ResponseHead, form: URLSearchParams): Promise<void> {
      const { credential, remember = false } = await readForm(PasskeyLoginBody, form, parsedCredential);
      const origin = { browser: browsers.read(request), client: clientOf(request) };
      cookies.signIn(head, request, await passkeyLogin.login(credential, origin, remember));
    },
  };
}
