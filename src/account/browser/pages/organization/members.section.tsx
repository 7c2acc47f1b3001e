import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useChapter } from "../../context.ts";
import { Card, Outcome } from "../../parts/blocks.tsx";
import { Awaited } from "../account/section.tsx";
import { MemberRow } from "./member.row.tsx";
import { More } from "./more.tsx";
import type { TeamProps } from "./team.ts";

/** Who is in the organization, and as what. */
export function MembersSection({ team }: TeamProps) {
  const { members: say } = useChapter("organization");
  const outcome = useSignal("");
  const list = useRef<HTMLUListElement>(null);
  const members = team.members.value.value;
  const count = team.organization.value.value?.members;
  useLayoutEffect(() => {
    // The focused button went with its row.
    if (document.activeElement === document.body) list.current?.focus();
  }, [members]);
  return (
    <Card id="members" title={say.title} state={count && say.state({ count })}>
      {members === undefined ? (
        <Awaited resource={team.members} />
      ) : (
        <ul class="rows" ref={list} tabIndex={-1}>
          {members.map((member) => (
            <MemberRow
              key={member.user.id}
              team={team}
              member={member}
              onOutcome={(text) => void (outcome.value = text)}
            />
          ))}
        </ul>
      )}
      <More pages={team.members} />
      <Outcome text={outcome.value} />
    </Card>
  );
}
