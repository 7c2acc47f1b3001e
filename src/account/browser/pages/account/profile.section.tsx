import { useSignal } from "@preact/signals";
import type { ProfileEdit, User } from "../../../../client/index.ts";
import { languages, pickLanguage, type Words } from "../../../shared/words/index.ts";
import { useAccount } from "../../context.ts";
import { useForm } from "../../form.ts";
import { Card } from "../../parts/card.tsx";
import { Field } from "../../parts/field.tsx";
import { Form } from "../../parts/form.tsx";
import { FormButtons } from "../../parts/form.buttons.tsx";
import { OpeningForm, useOpening } from "../../parts/opening.tsx";
import { Outcome } from "../../parts/outcome.tsx";
import { Refusal } from "../../parts/refusal.tsx";
import { Select } from "../../parts/select.tsx";
import { useWaiting } from "../../waiting.ts";
import type { SectionProps } from "./sections.ts";

/** Who the person is to apps that use the account. */
export function ProfileSection({ id, title, user }: SectionProps) {
  const { profile } = useAccount().words.value.account;
  const opening = useOpening();
  // Said in the language that was just chosen.
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

/** The first letter stands in for the picture: a page that loads pictures from elsewhere tells there who looks at it. */
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

/** In the language itself, for who has come to one that they can't read. */
const nameOf = (tag: string): string => new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
const languageName = (locale: string | null, { account }: Words): string =>
  locale === null ? account.profile.byBrowser(nameOf(pickLanguage(navigator.languages))) : nameOf(locale);

const deviceZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;
const plainly = (zone: string): string => zone.replaceAll("_", " ");
const zoneName = (zone: string | null, { account }: Words): string =>
  zone === null ? account.profile.byDevice(plainly(deviceZone())) : plainly(zone);

interface ProfileFormProps {
  readonly user: User;
  readonly onDone: () => void;
  readonly onCancel: () => void;
}

function ProfileForm({ user, onDone, onCancel }: ProfileFormProps) {
  const { words, client, session } = useAccount();
  const { profile } = words.value.account;
  const form = useForm({
    id: "profile",
    fields: [
      { name: "display_name", label: profile.name },
      { name: "username", label: profile.username },
      { name: "avatar_url", label: profile.avatar, isOptional: true },
      { name: "locale", label: profile.language, isOptional: true },
      { name: "timezone", label: profile.timezone, isOptional: true },
    ],
    blame: { username_taken: "username", email_taken: "username" },
    async send(valueOf) {
      const result = await client.updateProfile(changesOf(user, valueOf));
      if (result.ok) {
        session.know(result.user);
        onDone();
      }
      return result;
    },
  });
  const waiting = useWaiting(form.refusal.value);
  const { locale, timezone } = user;
  return (
    <Form state={form}>
      <Refusal failure={form.refusal.value} waiting={waiting} />
      <Field
        form={form}
        name="display_name"
        label={profile.name}
        autocomplete="name"
        maxLength={200}
        value={user.display_name}
        isFirst
      />
      <Field form={form} name="username" label={profile.username} autocomplete="username" value={user.username} />
      <Field
        form={form}
        name="avatar_url"
        label={profile.avatarField}
        hint={profile.avatarHint}
        autocomplete="photo"
        maxLength={2048}
        value={user.avatar_url ?? ""}
        isOptional
      />
      <Select
        form={form}
        name="locale"
        label={profile.language}
        hint={profile.languageHint}
        value={locale ?? ""}
        options={optionsOf(Object.keys(languages), locale, (tag) => languageName(tag, words.value))}
      />
      <Select
        form={form}
        name="timezone"
        label={profile.timezone}
        hint={profile.timezoneHint}
        value={timezone ?? ""}
        options={optionsOf(Intl.supportedValuesOf("timeZone"), timezone, (zone) => zoneName(zone, words.value))}
      />
      <FormButtons form={form} label={words.value.account.save} waiting={waiting} onCancel={onCancel} />
    </Form>
  );
}

/** None at first; and what was chosen by other means than this page. */
const optionsOf = (values: readonly string[], chosen: string | null, labelOf: (value: string | null) => string) =>
  [null, ...values, ...(chosen === null || values.includes(chosen) ? [] : [chosen])].map((value) => ({
    value: value ?? "",
    label: labelOf(value),
  }));

/** What is as it was is left out, so that it does not undo what another tab has changed meanwhile. */
function changesOf(user: User, valueOf: (name: string) => string): ProfileEdit {
  const orNull = (name: string): string | null => valueOf(name).trim() || null;
  const [name, username] = [valueOf("display_name").trim(), valueOf("username").trim()];
  const [picture, locale, zone] = [orNull("avatar_url"), orNull("locale"), orNull("timezone")];
  return {
    ...(name !== user.display_name && { display_name: name }),
    ...(username !== user.username && { username }),
    ...(picture !== user.avatar_url && { avatar_url: picture }),
    ...(locale !== user.locale && { locale }),
    ...(zone !== user.timezone && { timezone: zone }),
  };
}
