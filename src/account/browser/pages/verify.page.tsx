import { useSignal } from "@preact/signals";
import { useAccount, useChapter } from "../context.ts";
import { Button } from "../parts/form.tsx";
import { BrokenLink, LeadOn, Page } from "../parts/page.tsx";
import type { Ticket } from "../router.ts";
import { LinkPage, Looking, useLook, useRedeeming } from "./link.page.tsx";

type Outcome = { readonly name: "verified"; readonly email: string } | { readonly name: "rejected" | "used" | "taken" };

/** Confirms by the link of a mail that the address is the reader's, or says that somebody else gave it. */
export function VerifyPage() {
  const { words, router, client } = useAccount();
  const outcome = useSignal<Outcome | undefined>(undefined);
  const { link, signIn: says, titles } = words.value;
  const { verify } = useChapter("links");
  const ticket = router.place.value.ticket;
  const look = useLook(ticket, (token) => client.inspectEmailVerification({ token }));
  const signIn = { href: router.onward("/login"), label: says.submit };
  const ended = outcome.value ?? (look === "dead" ? { name: "used" } : undefined);
  if (ended === undefined) {
    if (ticket === undefined) return <BrokenLink way={signIn} />;
    if (look === "looking") return <Looking title={titles.verifyEmail} />;
    return <Asking ticket={ticket} onEnd={(end) => void (outcome.value = end)} />;
  }
  switch (ended.name) {
    case "used":
      return <LeadOn reason={link.verify} way={signIn} />;
    case "taken":
      return <LeadOn reason={link.taken} way={signIn} />;
    case "rejected":
      return (
        <Page title={verify.rejected.title}>
          <p>{verify.rejected.lead}</p>
        </Page>
      );
    case "verified":
      return (
        <Page title={verify.done.title}>
          <p>{verify.done.lead({ email: ended.email })}</p>
          {/* A new load of the page asks the server whether this browser is signed in. */}
          <Button kind="primary" onClick={() => location.assign(router.destination() ?? router.href("/account"))}>
            {verify.done.goOn}
          </Button>
        </Page>
      );
  }
}

interface AskingProps {
  readonly ticket: Ticket;
  readonly onEnd: (end: Outcome) => void;
}

function Asking({ ticket: { token, isReject }, onEnd }: AskingProps) {
  const { words, client } = useAccount();
  const { titles } = words.value;
  const { verify } = useChapter("links");
  const { send, ...progress } = useRedeeming((why) => onEnd({ name: why }));
  const rejecting = useSignal(isReject);
  const confirm = (): void =>
    void send(
      () => client.confirmEmailVerification({ token }),
      ({ user }) => onEnd({ name: "verified", email: user.email }),
    );
  const reject = (): void =>
    void send(
      () => client.rejectEmailVerification({ token }),
      () => onEnd({ name: "rejected" }),
    );
  return rejecting.value ? (
    <LinkPage
      key="reject"
      kind="danger"
      title={verify.rejectTitle}
      lead={verify.rejectLead}
      submit={verify.rejectSubmit}
      progress={progress}
      onSubmit={reject}
      other={<Button onClick={() => void (rejecting.value = false)}>{verify.itWasMe}</Button>}
    />
  ) : (
    <LinkPage
      key="confirm"
      title={titles.verifyEmail}
      lead={verify.lead}
      submit={verify.submit}
      progress={progress}
      onSubmit={confirm}
      other={<Button onClick={() => void (rejecting.value = true)}>{verify.reject}</Button>}
    />
  );
}
