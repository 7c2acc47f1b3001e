import { Type } from "@sinclair/typebox";
import { settingsPath, type Settings } from "../files/settings.ts";
import { wrong, note, type HostCheck, type HostView } from "./finding.ts";
import { rowsOf } from "./rows.ts";

const Greeted = Type.Object({
  ok: Type.Boolean(),
  driver: Type.String(),
  relay: Type.Optional(Type.String()),
  error: Type.Optional(Type.String()),
});

/** Reads a setting as this app does, whose own ones have a prefix. */
const read = ({ app, settings }: Pick<HostView, "app" | "settings">, name: string): string | undefined =>
  (app === "gatehouse-admin" ? settings[`ADMIN_${name}`] : undefined) ?? settings[name];

/** Returns the relay that the settings name; undefined where no mail is sent. */
export function relayOf(view: { readonly app: HostView["app"]; readonly settings: Settings }) {
  const host = read(view, "MAIL_SMTP_HOST");
  if (read(view, "MAIL_DRIVER") !== "smtp" || host === undefined || host === "") return undefined;
  return { host, port: Number(read(view, "MAIL_SMTP_PORT") ?? "587") };
}

/** Has the services greet the relay: name, connection, TLS and the user, from within their sandbox and with their secrets. */
export const relayCheck: HostCheck = async (view) => {
  if (view.current === undefined) return [];
  const relay = relayOf(view);
  if (relay === undefined)
    return [
      note(
        "no mail is sent: MAIL_DRIVER is not smtp",
        `set MAIL_ in ${settingsPath}, then ${view.app} release:restart`,
      ),
    ];
  const said = await rowsOf(view, Greeted, ["mail:test", "--greet"], { mayFail: true });
  const greeted = typeof said === "string" ? undefined : said.at(-1);
  if (greeted?.ok === true) return [];
  const error = greeted?.error ?? (typeof said === "string" ? said : "it said nothing");
  const name = `${relay.host}:${relay.port}`;
  const [, allowance] = /\blets nothing out to .*\b(IPAddressAllow=[\d.:a-f]+)/.exec(error) ?? [];
  return [
    allowance === undefined
      ? wrong(
          `the mail relay ${name} takes no mail, so that nobody can reset a password: ${error}`,
          `see that it runs, and MAIL_SMTP_ in ${settingsPath}; ${view.app} mail:test you@example.com tries all of it`,
        )
      : wrong(
          `the sandbox of the services, or a firewall of this host, keeps them from the mail relay ${name}, or from the resolver of its name`,
          `add the line ${allowance} below [Service] in /etc/systemd/system/gatehouse-.service.d/40-network.conf, then systemctl daemon-reload and ${view.app} release:restart`,
        ),
  ];
};
