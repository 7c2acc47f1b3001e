/** @jsxImportSource #html */
import type { Found, WhyUnread } from "../record/store.ts";

const words: Readonly<Record<WhyUnread, string>> = {
  absent: "has recorded nothing on this host.",
  other_release: "is of another release, whose inspects this one can't read.",
  unreadable: "has inspects that can't be read: the log of this app says why.",
};

/** Says which inspects the page lacks, and why. */
export const UnreadNotice = ({ unread: { app, why } }: { readonly unread: NonNullable<Found["unread"]> }) => (
  <p class={why === "absent" ? "soft" : "notice warning"}>
    These are the inspects of this app alone: <code>{app}</code> {words[why]}
  </p>
);
