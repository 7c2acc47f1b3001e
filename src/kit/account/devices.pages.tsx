/** @jsxImportSource #html */
import type { PageOwn } from "../../auth/index.ts";
import { Act } from "../../http/pages/parts/form.tsx";
import { around } from "../../words/index.ts";
import { ConfirmPage } from "../frame/confirm.page.tsx";
import { Ago, Moment } from "../frame/parts.tsx";
import { accountPath, type AccountContext } from "./context.ts";
import { Opener, Section } from "./section.tsx";

type Device = Awaited<ReturnType<PageOwn["devices"]>>[number];

interface DevicesProps {
  readonly context: AccountContext;
  readonly devices: readonly Device[];
}

/** Names the device: its label is `Mac · Safari`, or only one of the two. */
export function deviceIn({ speech }: AccountContext, { device_label: label }: Device): string {
  const { device, unknown } = speech.account.sessions;
  const [system = "", program] = label.split(" · ");
  if (program !== undefined) return device({ program, system });
  return system === "Unknown device" ? unknown : system;
}

const DeviceRow = ({ context, device }: { readonly context: AccountContext; readonly device: Device }) => {
  const { href, token, times, speech } = context;
  const { sessions } = speech.account;
  const name = deviceIn(context, device);
  const seenAt = Date.parse(device.last_seen_at);
  return (
    <li>
      <div class="about">
        <p>
          <strong>{name}</strong> {device.current && <span class="tag good">{sessions.current}</span>}
        </p>
        <p class="soft">
          <bdi>{device.ip_address}</bdi> ·{" "}
          {device.current ? sessions.now : around(sessions.lastSeen, { time: <Ago at={seenAt} times={times} /> })} ·{" "}
          {around(sessions.since, { time: <Moment at={Date.parse(device.created_at)} times={times} /> })}
        </p>
      </div>
      {!device.current && (
        <Act
          action={href(`${accountPath}/devices/${device.id}/end`)}
          token={token}
          label={sessions.endOf({ device: name, address: device.ip_address })}
        >
          {sessions.end}
        </Act>
      )}
    </li>
  );
};

/** The devices that the person is signed in on, each with the way to end it. */
export const DevicesSection = ({ context, devices }: DevicesProps) => {
  const { sections, sessions } = context.speech.account;
  return (
    <Section id="sessions" title={sections.sessions} state={sessions.state({ count: devices.length })}>
      <Opener context={context} path={`${accountPath}/devices/end`} isDanger>
        {sessions.everywhere}
      </Opener>
      <ul class="rows">
        {devices.map((device) => (
          <DeviceRow key={device.id} context={context} device={device} />
        ))}
      </ul>
    </Section>
  );
};

/** Asks once before the person is signed out everywhere, here included. */
export const EndEverywherePage = ({ context, devices }: DevicesProps) => {
  const { everywhere, everywhereTitle, everywhereMeans } = context.speech.account.sessions;
  return (
    <ConfirmPage
      context={context}
      title={everywhereTitle}
      action={`${accountPath}/devices/end`}
      label={everywhere}
      cancel={accountPath}
    >
      <p>{everywhereMeans({ count: devices.length })}</p>
    </ConfirmPage>
  );
};
