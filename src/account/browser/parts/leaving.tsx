import type { OwnOrganization } from "../../../client/index.ts";
import { useAccount, useChapter } from "../context.ts";
import { Question } from "../pages/account/section.tsx";

interface LeavingProps {
  readonly organization: OwnOrganization;
  readonly onLeft: () => void;
  readonly onClose: () => void;
}

/** Asks whether to leave an organization. */
export function Leaving({ organization: { id, name }, onLeft, onClose }: LeavingProps) {
  const { words, client } = useAccount();
  const say = useChapter("organization");
  return (
    <Question
      title={say.leaveTitle({ name })}
      submit={say.leave}
      cancel={words.value.acts.cancel}
      ask={() => client.leaveOrganization(id)}
      onDone={onLeft}
      onClose={onClose}
    >
      <p>{say.leaveMeans}</p>
    </Question>
  );
}
