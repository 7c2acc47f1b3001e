import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Failure, Result, Session } from "../../../../client/index.ts";
import type { Chapters } from "../../../shared/words.ts";
import { useActing } from "../../acts/sending.ts";
import { useAccount, useChapter } from "../../context.ts";
import { Card, Dated, Outcome } from "../../parts/blocks.tsx";
import { Button, Refusal } from "../../parts/form.tsx";
import { useOpening } from "../../parts/opening.tsx";
import { Awaited, Question, type SectionProps } from "./section.tsx";

/** How many sessions the page shows at first. A button shows further ones. */
const shownAtFirst = 5;

/** The sessions of the account: this one first, then any other by its last use. */
export function SessionsSection({ id, title, holdings }: SectionProps) {
  const { sessions: words } = useChapter("account");
  const sessions = holdings.sessions.value.value;
  return (
    <Card
      id={id}
      title={title}
      state={sessions && words.state({ count: sessions.filter(({ impersonator }) => impersonator === null).length })}
    >
      {sessions === undefined ? (
        <Awaited resource={holdings.sessions} />
      ) : (
        <Sessions sessions={sorted(sessions)} onChange={holdings.sessions.set} />
      )}
    </Card>
  );
}

const sorted = (sessions: readonly Session[]): readonly Session[] =>
  sessions.toSorted(
    (a, b) => Number(b.current) - Number(a.current) || Date.parse(b.last_seen_at) - Date.parse(a.last_seen_at),
  );

interface SessionsProps {
  readonly sessions: readonly Session[];
  readonly onChange: (sessions: readonly Session[]) => void;
}

function Sessions({ sessions, onChange }: SessionsProps) {
  const { sessions: words } = useChapter("account");
  const isWhole = useSignal(false);
  const outcome = useSignal("");
  const list = useRef<HTMLUListElement>(null);
  const shown = isWhole.value ? sessions : sessions.slice(0, shownAtFirst);
  const isOneGone = useRef(false);
  const gone = (session: Session): void => {
    isOneGone.current = true;
    onChange(sessions.filter(({ id }) => id !== session.id));
  };
  useLayoutEffect(() => {
    if (!isOneGone.current) return;
    isOneGone.current = false;
    // The focused button went with its row.
    (list.current?.querySelector("button") ?? list.current)?.focus();
  }, [sessions]);
  return (
    <>
      <Everywhere count={sessions.length} />
      <ul class="rows" ref={list} tabIndex={-1}>
        {shown.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            onEnded={() => void (outcome.value = words.ended({ device: deviceOf(session, words) }))}
            onGone={() => gone(session)}
          />
        ))}
      </ul>
      <Outcome text={outcome.value} />
      {shown.length < sessions.length && (
        <div class="buttons">
          <Button onClick={() => void (isWhole.value = true)}>{words.others({ count: sessions.length })}</Button>
        </div>
      )}
    </>
  );
}

/** Names the device: the server says `Mac · Safari`, or only one of the two. Of staff it names no device. */
function deviceOf({ device_label: label, impersonator }: Session, words: Chapters["account"]["sessions"]): string {
  if (impersonator !== null) return words.support({ name: impersonator.name });
  const [system = "", program] = label.split(" · ");
  if (program !== undefined) return words.device({ program, system });
  return system === "Unknown device" ? words.unknown : system;
}

interface SessionRowProps {
  readonly session: Session;
  readonly onEnded: () => void;
  /** Called once the row has faded out. */
  readonly onGone: () => void;
}

function SessionRow({ session, onEnded, onGone }: SessionRowProps) {
  const { client, words } = useAccount();
  const { sessions } = useChapter("account");
  const { act, ...progress } = useActing();
  const isEnded = useSignal(false);
  const device = deviceOf(session, sessions);
  const end = (): void =>
    void act(
      async () => unlessGone(await client.revokeSession(session.id)),
      () => {
        isEnded.value = true;
        onEnded();
      },
    );
  return (
    <li class={isEnded.value ? "ending" : undefined} onAnimationEnd={isEnded.value ? onGone : undefined}>
      <div class="about">
        <p>
          <strong>{device}</strong> {session.current && <span class="tag good">{sessions.current}</span>}
        </p>
        <p class="soft">
          {session.ip_address !== "" && (
            <>
              <bdi>{session.ip_address}</bdi> ·{" "}
            </>
          )}
          {session.current ? sessions.now : <Dated say={sessions.lastSeen} at={session.last_seen_at} />}
          {" · "}
          <Dated say={sessions.since} at={session.created_at} isExact />
        </p>
        <Refusal progress={progress} />
      </div>
      {!session.current && (
        <Button
          progress={progress}
          label={
            session.impersonator === null
              ? sessions.endOf({ device, address: session.ip_address })
              : `${words.value.impersonation.end}: ${device}`
          }
          onClick={end}
        >
          {session.impersonator === null ? sessions.end : words.value.impersonation.end}
        </Button>
      )}
    </li>
  );
}

/** Counts a session that has ended meanwhile as success: it is gone, as the user wanted. */
const unlessGone = (result: Result): { ok: true } | Failure =>
  !result.ok && result.code !== "session_not_found" ? result : { ok: true };

function Everywhere({ count }: { readonly count: number }) {
  const { words, client, session } = useAccount();
  const { sessions } = useChapter("account");
  const { cancel } = words.value.acts;
  const asked = useOpening();
  return (
    <>
      <Button kind="danger" onClick={asked.open}>
        {sessions.everywhere}
      </Button>
      {asked.isOpen.value && (
        <Question
          title={sessions.everywhereTitle}
          submit={sessions.everywhere}
          cancel={cancel}
          ask={client.logoutAll}
          onDone={() => session.bid("everywhere")}
          onClose={asked.close}
        >
          <p>{sessions.everywhereMeans({ count })}</p>
        </Question>
      )}
    </>
  );
}
