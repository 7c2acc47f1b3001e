import { useSignal } from "@preact/signals";
import type { User } from "../../../../client/index.ts";
import { useAccount } from "../../context.ts";
import { Card } from "../../parts/card.tsx";
import { OpeningForm, useOpening } from "../../parts/opening.tsx";
import { Outcome } from "../../parts/outcome.tsx";
import { ProfileForm } from "./profile.form.tsx";
import { languageName, zoneName } from "./profile.names.ts";
import type { SectionProps } from "./section.props.ts";

/** The profile that apps see. */
export function ProfileSection({ id, title, user }: SectionProps) {
  const { profile } = useAccount().words.value.account;
  const opening = useOpening();
  // A flag keeps the result, so that it appears in the language that was just chosen.
  const isSaved = useSignal(false);
  const done = (): void => {
    opening.close();
    isSaved.value = true;
  };
  return (
    <Card id={id} title={title} state={<Who user={user} />}>
      {!opening.isOpen.value && <Facts user={user} />}
      <OpeningForm opening={opening} label={profile.change} onOpen={() => void (isSaved.value = false)}>
        <ProfileForm user={user} onDone={done} onCancel={opening.close} />
      </OpeningForm>
      <Outcome text={isSaved.value ? profile.saved : ""} />
    </Card>
  );
}

/** The first letter replaces the picture: a page that loads a picture from another host tells that host who looks at it. */
function Who({ user }: { readonly user: User }) {
  const [initial] = new Intl.Segmenter().segment(user.display_name.trim());
  return (
    <span class="who">
      <span class="initial" aria-hidden="true">
        {initial?.segment.toUpperCase()}
      </span>
      <strong>
        <bdi>{user.display_name}</bdi>
      </strong>
    </span>
  );
}

function Facts({ user }: { readonly user: User }) {
  const words = useAccount().words.value;
  const { profile } = words.account;
  return (
    <dl class="facts">
      <div>
        <dt>{profile.username}</dt>
        <dd>{user.username === user.email ? profile.usernameIsEmail : <bdi>{user.username}</bdi>}</dd>
      </div>
      <div>
        <dt>{profile.language}</dt>
        <dd>{languageName(user.locale, words)}</dd>
      </div>
      <div>
        <dt>{profile.timezone}</dt>
        <dd>{zoneName(user.timezone, words)}</dd>
      </div>
      {user.avatar_url !== null && (
        <div>
          <dt>{profile.avatar}</dt>
          <dd>{user.avatar_url}</dd>
        </div>
      )}
    </dl>
  );
}
