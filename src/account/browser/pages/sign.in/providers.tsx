import type { ComponentChildren } from "preact";
import type { Settings } from "../../../shared/settings.ts";
import { refusalInWords } from "../../../shared/in.words.ts";
import { keptDestination, lastWay } from "../../acts/storage.ts";
import { useAccount } from "../../context.ts";
import { Notice } from "../../parts/blocks.tsx";
import { ProviderMark } from "../../parts/marks.tsx";

/** The providers to sign in with, below a line. */
export function Providers() {
  const { settings, words } = useAccount();
  if (settings.providers.length === 0) return null;
  return (
    <>
      <p class="or soft">{words.value.signIn.or}</p>
      <div class="stack">
        {settings.providers.map((provider) => (
          <ProviderLink key={provider.name} provider={provider} />
        ))}
      </div>
    </>
  );
}

interface ProviderLinkProps {
  readonly provider: Settings["providers"][number];
  readonly mark?: ComponentChildren;
}

/** A link to a provider, by which the browser leaves this page. */
export function ProviderLink({ provider: { name, label }, mark }: ProviderLinkProps) {
  const { words, client, router } = useAccount();
  const next = router.destination();
  // A provider leads back only to a path of this origin. The way to another origin goes through this page.
  const leave = (): void => {
    if (next === undefined) keptDestination.drop();
    else keptDestination.keep(next);
    lastWay.keep(`provider:${name}`);
  };
  const back = next?.startsWith("/") === false ? router.href("/login", { next, signed_in: "" }) : next;
  return (
    <a class="button provider" href={client.startProviderLogin(name, back ?? router.href("/account"))} onClick={leave}>
      <ProviderMark name={name} />
      {words.value.signIn.provider({ label })}
      {mark}
    </a>
  );
}

/** Says why a sign-in with a provider has failed. The server puts the code into the address of this page. */
export function ProviderError() {
  const { words, router } = useAccount();
  const code = router.place.value.query.get("oauth_error");
  return code === null ? null : <Notice kind="danger">{refusalInWords(words.value, code)}</Notice>;
}
