import { useSignal } from "@preact/signals";
import type { Failure, Result, Session } from "../../../../client/index.ts";
import type { Words } from "../../../shared/words/index.ts";
import { useActing } from "../../acts/sending.ts";
import { useAccount } from "../../context.ts";
import { Time } from "../../parts/blocks.tsx";
import { Button, Refusal } from "../../parts/form.tsx";

/** Names the device: the server says `Mac · Safari`, or only one of the two. */
export function deviceOf({ device_label: label }: Session, { account }: Words): string {
  const [system = "", program] = label.split(" · ");
  if (program !== undefined) return account.sessions.device(program, system);
  return system === "Unknown device" ? account.sessions.unknown : system;
}

interface SessionRowProps {
  readonly session: Session;
  readonly onEnded: () => void;
  /** Called once the row has faded out. */
  readonly onGone: () => void;
}

export function SessionRow({ session, onEnded, onGone }: SessionRowProps) {
  const { words, client } = useAccount();
  const { sessions } = words.value.account;
  const { act, ...progress } = useActing();
  const isEnded = useSignal(false);
  const device = deviceOf(session, words.value);
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
          {session.ip_address} ·{" "}
          {session.current ? (
            sessions.now
          ) : (
            <>
              {sessions.lastSeen} <Time at={session.last_seen_at} />, <Time at={session.last_seen_at} isExact />
            </>
          )}
        </p>
        <p class="soft">
          {sessions.since} <Time at={session.created_at} isExact />
        </p>
        <Refusal progress={progress} />
      </div>
      {!session.current && (
        <Button progress={progress} label={sessions.endOf(device, session.ip_address)} onClick={end}>
          {sessions.end}
        </Button>
      )}
    </li>
  );
}

/** Counts a session that has ended meanwhile as success: it is gone, as the user wanted. */
const unlessGone = (result: Result): { ok: true } | Failure =>
  !result.ok && result.code !== "session_not_found" ? result : { ok: true };
