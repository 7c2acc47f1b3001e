import { useAccount } from "../../context.ts";
import { ProviderMark } from "../../parts/provider.mark.tsx";

/** The providers to sign in with, below a line. Each is a link: the browser leaves this page. */
export function Providers() {
  const { settings, words, client, router } = useAccount();
  if (settings.providers.length === 0) return null;
  const next = router.destination();
  // A provider leads back to a path of this origin alone: to another one the way goes through this page.
  const back = next?.startsWith("/") === false ? router.href("/login", { next, signed_in: "" }) : next;
  return (
    <>
      <p class="or soft">{words.value.signIn.or}</p>
      <div class="stack">
        {settings.providers.map(({ name, label }) => (
          <a key={name} class="button provider" href={client.startProviderLogin(name, back ?? router.href("/account"))}>
            <ProviderMark name={name} />
            {words.value.signIn.provider(label)}
          </a>
        ))}
      </div>
    </>
  );
}
