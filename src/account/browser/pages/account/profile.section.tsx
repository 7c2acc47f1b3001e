import { useSignal } from "@preact/signals";
import type { ProfileEdit, User } from "../../../../client/index.ts";
import type { Chapters } from "../../../shared/words.ts";
import { pickLanguage } from "../../../../words/language.ts";
import { useAccount, useChapter, type Account } from "../../context.ts";
import { useForm } from "../../form.ts";
import { Card, Outcome } from "../../parts/blocks.tsx";
import { Field, Select } from "../../parts/fields.tsx";
import { InnerForm } from "../../parts/form.tsx";
import { OpeningForm, useOpening } from "../../parts/opening.tsx";
import type { OpenedProps, SectionProps } from "./section.tsx";

/** The profile that apps see. */
export function ProfileSection({ id, title, user }: SectionProps) {
  const { profile } = useChapter("account");
  const opening = useOpening();
  // A flag keeps the result, so that it appears in the language that was just chosen.
  const isSaved = useSignal(false);
  const done = (): void => {
    opening.close();
    isSaved.value = true;
  };
  return (
    <Card id={id} title={title} state={<Who user={user} />}>
      <OpeningForm opening={opening} label={profile.change} onOpen={() => void (isSaved.value = false)}>
        <ProfileForm user={user} onDone={done} onCancel={opening.close} />
      </OpeningForm>
      {!opening.isOpen.value && <Facts user={user} />}
      <Outcome text={isSaved.value ? profile.saved : ""} />
    </Card>
  );
}

/** The first letter replaces the picture: a page that loads a picture from another host tells that host who looks at it. */
function Who({ user }: { readonly user: User }) {
  const [initial] = new Intl.Segmenter().segment(user.display_name.trim());
  return (
    <span class="person">
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
  const account = useAccount();
  const { profile } = useChapter("account");
  const facts = [
    [profile.username, user.username === user.email ? profile.usernameIsEmail : <bdi>{user.username}</bdi>],
    [profile.language, languageName(user.locale, account, profile)],
    [profile.timezone, zoneName(user.timezone, profile)],
    [profile.avatar, user.avatar_url],
  ] as const;
  return (
    <dl class="facts">
      {facts.map(
        ([name, value]) =>
          value !== null && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** Names a language in that language itself, for readers who are lost in another one. */
const nameOf = (tag: string): string => new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
const languageName = (
  locale: string | null,
  { settings: { languages } }: Pick<Account, "settings">,
  profile: Chapters["account"]["profile"],
): string =>
  locale === null ? profile.byBrowser({ name: nameOf(pickLanguage(navigator.languages, languages)) }) : nameOf(locale);

const deviceZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;
const plainly = (zone: string): string => zone.replaceAll("_", " ");
const zoneName = (zone: string | null, profile: Chapters["account"]["profile"]): string =>
  zone === null ? profile.byDevice({ zone: plainly(deviceZone()) }) : plainly(zone);

/** Changes the profile by which apps know the person. */
function ProfileForm({ user, onDone, onCancel }: OpenedProps) {
  const account = useAccount();
  const { words, client, session, settings } = account;
  const { profile } = useChapter("account");
  const { save } = words.value.acts;
  const { locale, timezone } = user;
  const form = useForm({
    id: "profile",
    fields: [
      { name: "display_name", label: profile.name },
      { name: "username", label: profile.username },
      { name: "avatar_url", label: profile.avatarField, isOptional: true },
      { name: "locale", label: profile.language, isOptional: true },
      { name: "timezone", label: profile.timezone, isOptional: true },
    ],
    blame: { username_taken: "username", email_taken: "username" },
    send: (valueOf) => client.updateProfile(changesOf(user, valueOf)),
    done(answer) {
      session.know(answer.user);
      onDone();
    },
  });
  return (
    <InnerForm form={form} submit={save} onCancel={onCancel}>
      <Field form={form} name="display_name" autocomplete="name" maxLength={200} value={user.display_name} isFirst />
      <Field form={form} name="username" autocomplete="username" value={user.username} />
      <Field
        form={form}
        name="avatar_url"
        hint={profile.avatarHint}
        autocomplete="photo"
        maxLength={2048}
        value={user.avatar_url ?? ""}
      />
      <Select
        form={form}
        name="locale"
        hint={profile.languageHint}
        value={locale ?? ""}
        options={optionsOf(settings.languages, locale, (tag) => languageName(tag, account, profile))}
      />
      <Select
        form={form}
        name="timezone"
        hint={profile.timezoneHint}
        value={timezone ?? ""}
        options={optionsOf(Intl.supportedValuesOf("timeZone"), timezone, (zone) => zoneName(zone, profile))}
      />
    </InnerForm>
  );
}

/** Returns the options: none first, and last a value that was not chosen on this page. */
const optionsOf = (values: readonly string[], chosen: string | null, labelOf: (value: string | null) => string) =>
  [null, ...values, ...(chosen === null || values.includes(chosen) ? [] : [chosen])].map((value) => ({
    value: value ?? "",
    label: labelOf(value),
  }));

/** Returns only the changed values, so that the form does not undo the changes of another tab. */
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
