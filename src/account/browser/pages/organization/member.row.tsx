import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import type { Member } from "../../../../client/index.ts";
import { namedIn, rankOf, ranks, rolesInWords, type Rank } from "../../acts/roles.ts";
import { useActing } from "../../acts/sending.ts";
import { useAccount, useChapter } from "../../context.ts";
import { Button, Refusal } from "../../parts/form.tsx";
import { useOpening } from "../../parts/opening.tsx";
import { Question } from "../account/section.tsx";
import { unlessGone, type Team } from "./team.ts";

interface MemberProps {
  readonly team: Team;
  readonly member: Member;
  readonly onOutcome: (text: string) => void;
}

export function MemberRow(props: MemberProps) {
  const { team, member } = props;
  const say = useChapter("organization");
  const { user, roles } = member;
  const named = namedIn(roles);
  const mayChange = team.mayChange(member);
  return (
    <li>
      <div class="about">
        <p>
          <strong>
            <bdi>{user.display_name}</bdi>
          </strong>{" "}
          {team.isSelf(member) && <span class="tag">{say.members.you}</span>}{" "}
          {!user.active && <span class="tag warning">{say.members.off}</span>}
        </p>
        {user.email !== user.display_name && (
          <p class="soft">
            <bdi>{user.email}</bdi>
          </p>
        )}
        {mayChange && named.length > 0 && <p class="soft">{say.members.also({ roles: named.join(", ") })}</p>}
      </div>
      {mayChange ? <Managing {...props} /> : <p class="role">{rolesInWords(roles, say.roles)}</p>}
    </li>
  );
}

/** Changes what a member is, and takes members out. A chosen role is saved by a button: a list box changes with every key. */
function Managing({ team, member, onOutcome }: MemberProps) {
  const say = useChapter("organization");
  const { display_name: name } = member.user;
  const rank = rankOf(member.roles);
  const chosen = useSignal<Rank>(rank);
  const select = useRef<HTMLSelectElement>(null);
  const isChanged = chosen.value !== rank;
  const wasChanged = useRef(false);
  useLayoutEffect(() => {
    // The focused button goes once its change is made, or taken back.
    if (wasChanged.current && !isChanged) select.current?.focus();
    wasChanged.current = isChanged;
  }, [isChanged]);
  return (
    <div class="buttons">
      <select
        ref={select}
        aria-label={say.members.roleOf({ name })}
        value={chosen.value}
        onChange={({ currentTarget: { value } }) => void (chosen.value = ranks.find((each) => each === value) ?? rank)}
      >
        {ranks
          .filter((each) => each === rank || team.gives().includes(each))
          .map((each) => (
            <option key={each} value={each}>
              {say.roles[each]}
            </option>
          ))}
      </select>
      {isChanged ? (
        <Saving {...{ team, member, onOutcome }} rank={chosen.value} onCancel={() => void (chosen.value = rank)} />
      ) : (
        !team.isSelf(member) && <Removing {...{ team, member, onOutcome }} />
      )}
    </div>
  );
}

function Saving({ team, member, onOutcome, rank, onCancel }: MemberProps & { rank: Rank; onCancel: () => void }) {
  const { words, client } = useAccount();
  const { members: say, roles } = useChapter("organization");
  const { cancel, save } = words.value.acts;
  const { act, ...progress } = useActing();
  const asked = useOpening();
  const { id, display_name: name } = member.user;
  const isSelf = team.isSelf(member);
  const ask = () => client.setMemberRoles(team.id, id, { roles: [rank, ...namedIn(member.roles)] });
  const done = (answer: { readonly member: Member }): void => {
    onOutcome(say.changed({ name, role: roles[rank] }));
    team.changed(answer.member);
  };
  const needsQuestion = isSelf || rank === "owner";
  return (
    <>
      <Button kind="primary" progress={progress} onClick={needsQuestion ? asked.open : () => void act(ask, done)}>
        {save}
      </Button>
      <Button onClick={onCancel}>{cancel}</Button>
      <Refusal progress={progress} />
      {asked.isOpen.value && (
        <Question
          title={isSelf ? say.yourselfTitle : say.raiseTitle({ name })}
          submit={isSelf ? say.yourself : say.raise}
          cancel={cancel}
          ask={ask}
          onDone={done}
          onClose={asked.close}
        >
          <p>{isSelf ? say.yourselfMeans : say.raiseMeans}</p>
        </Question>
      )}
    </>
  );
}

function Removing({ team, member, onOutcome }: MemberProps) {
  const { words, client } = useAccount();
  const { members: say } = useChapter("organization");
  const asked = useOpening();
  const { id, display_name: name } = member.user;
  const done = (): void => {
    onOutcome(say.removed({ name }));
    team.gone(member);
  };
  return (
    <>
      <Button label={say.removeOf({ name })} onClick={asked.open}>
        {say.remove}
      </Button>
      {asked.isOpen.value && (
        <Question
          title={say.removeTitle({ name })}
          submit={say.remove}
          cancel={words.value.acts.cancel}
          ask={async () => unlessGone(await client.removeMember(team.id, id), "member_not_found")}
          onDone={done}
          onClose={asked.close}
        >
          <p>{say.removeMeans}</p>
        </Question>
      )}
    </>
  );
}
