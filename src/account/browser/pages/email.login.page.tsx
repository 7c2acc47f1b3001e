import { useSignal } from "@preact/signals";
import { useSending } from "../acts/sending.ts";
import { useAccount } from "../context.ts";
import { BrokenLink, LeadOn } from "../parts/page.tsx";
import { LinkPage, Looking, useLook } from "./link.page.tsx";
import { OwnProviderPage } from "./own.provider.page.tsx";
import { useEndSignIn } from "./sign.in/ending.tsx";

/** Signs in by the link of a mail. */
export function EmailLoginPage() {
  const { words, client, router } = useAccount();
  const isDead = useSignal(false);
  const start = useSignal<string | undefined>(undefined);
  const end = useEndSignIn();
  const { send, ...progress } = useSending(({ code, redirect }) => {
    start.value = redirect;
    isDead.value = code === "invalid_code" || code === "invalid_payload";
    return isDead.value || redirect !== undefined || code === "mfa_required";
  });
  const { factors, signIn } = words.value;
  const ticket = router.place.value.ticket;
  const way = { href: router.onward("/login"), label: signIn.submit };
  const { dead, lead } = factors.byMail.link;
  const look = useLook(ticket, (token) => client.inspectEmailLogin({ token }));
  if (ticket === undefined) return <BrokenLink way={way} />;
  // An organization wants its people signed in by its own provider.
  if (start.value !== undefined) return <OwnProviderPage start={start.value} />;
  if (look === "looking") return <Looking title={signIn.submit} />;
  if (isDead.value || look === "dead") return <LeadOn reason={dead} way={way} />;
  const redeem = (): void => void send(async () => end(await client.confirmEmailLogin({ token: ticket.token })));
  const { submit } = signIn;
  return <LinkPage key="good" isFirst title={submit} {...{ submit, lead, progress }} onSubmit={redeem} />;
}
