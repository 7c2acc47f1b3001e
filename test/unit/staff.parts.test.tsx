/** @jsxImportSource #html */
import { expect, test } from "bun:test";
import { Hidden } from "../../src/http/pages/parts/form.tsx";
import { render } from "../../src/http/pages/jsx-runtime.ts";
import { Facets, Pager } from "../../src/http/pages/parts/list.tsx";
import { speechIn } from "../../src/kit/index.ts";
import { ConfirmPage, StaffPage } from "../../src/staff/frame/page.tsx";
import { twoStepPath, type StaffContext } from "../../src/staff/frame/context.ts";
import { Ago, Moment } from "../../src/staff/frame/parts.tsx";
import { createTimes } from "../../src/staff/frame/times.ts";
import { staffWordsIn } from "../../src/words/staff.ts";
import { ourWords } from "../support/words.ts";

const [speech, words] = [speechIn(ourWords, "en", []), staffWordsIn("en")];
const timesIn = (zone: string | null) => createTimes({ zone, now: noon, speech, words: words.frame });
const noon = Date.parse("2026-11-22T12:00:00Z");
const minute = 60_000;

test("times are in the zone of the profile, in UTC where it names none or one that is not known", () => {
  const written = (zone: string | null): readonly unknown[] => {
    const times = timesIn(zone);
    return [times.zone, times.isOwn, times.at(noon), times.exactly(noon)];
  };
  expect(written("Europe/Berlin")).toEqual(["Europe/Berlin", true, "22 Nov 2026, 13:00", "22 Nov 2026, 13:00:00 CET"]);
  expect(written(null)).toEqual(["UTC", false, "22 Nov 2026, 12:00", "22 Nov 2026, 12:00:00 UTC"]);
  expect(written("Mars/Olympus")).toEqual(written(null));
});

test("a moment of today is written without the day, and one that is near in words", () => {
  const times = timesIn("Europe/Berlin");
  expect([times.briefly(noon), times.briefly(noon + 24 * 60 * minute)]).toEqual(["13:00", "23 Nov 2026, 13:00"]);
  expect([-20_000, -5 * minute, 90 * minute, -72 * 60 * minute].map((ms) => times.relatively(noon + ms))).toEqual([
    "just now",
    "5 minutes ago",
    "in 1 hour",
    "3 days ago",
  ]);
  expect(render(<Moment at={noon} times={times} />)).toBe(
    '<time datetime="2026-11-22T12:00:00.000Z" title="22 Nov 2026, 13:00:00 CET">22 Nov 2026, 13:00</time>',
  );
  expect(render(<Ago at={noon - 5 * minute} times={times} />)).toContain(">5 minutes ago<");
});

test("filters and the pages of a list are links, and the one that is shown is marked", () => {
  const facets = [
    { label: "All", href: "/people", isCurrent: false, count: 1_234 },
    { label: "Locked", href: "/people?state=locked", isCurrent: true },
  ];
  const html = render(<Facets write={(count) => count.toLocaleString("en")} label="State" facets={facets} />);
  expect(html).toContain('<a href="/people">All<span class="count"> 1,234</span></a>');
  expect(html).toContain('<a href="/people?state=locked" aria-current="true">Locked</a>');
  expect(render(<Pager words={words.frame} label="people" first={undefined} next={undefined} />)).toBe("");
  expect(render(<Pager words={words.frame} label="people" first="/people" next="/people?cursor=a" />)).toContain(
    'rel="next"',
  );
});

test("a page that asks before something that can't be taken back posts a form with its token, and can be left", () => {
  const context: StaffContext = {
    frame: {
      words: ourWords,
      mark: { product: "Shop", home: "/", icon: "data:," },
      style: <></>,
      schemes: "light dark",
      script: "/script.js",
      place: "admin",
      navigation: [],
      href: (path) => path,
    },
    request: new Request("http://localhost/people/1/delete"),
    href: (path) => `/staff${path}`,
    product: "Shop",
    speech,
    words,
    count: String,
    twoStepPath,
    page: (content) => StaffPage({ context, ...content }),
    reaches: () => true,
    may: () => true,
    mayTo: () => true,
    viewer: {
      session: {
        id: "s",
        userId: "u",
        remembered: 0,
        lastSeenAt: 0,
        expiresAt: 0,
        revokedAt: null,
        userActive: 1,
        displayName: "Ada",
        username: "ada",
        email: "ada@example.test",
        emailVerifiedAt: null,
        locale: null,
        timezone: null,
        roles: "admin",
        provedAt: 0,
        cameBy: "password",
        factor: null,
      },
      roles: ["admin"],
      isProven: true,
      isFactorMissing: false,
    },
    token: "the token",
    by: { actor: "staff", userId: "u", role: "admin", origin: { address: "", userAgent: "", requestId: "" } },
    path: "/people/1/delete",
    search: new URLSearchParams(),
    times: timesIn(null),
    notice: { kind: "good", text: "<b>Ada</b> is disabled.", undo: { action: "/people/1/enable", label: "Enable" } },
  };
  const html = render(
    <ConfirmPage
      context={context}
      title="Delete the account of Ada?"
      action="/people/1/delete"
      input={<Hidden fields={[["sure", "yes"]]} />}
      label="Delete the account"
      cancel="/people/1"
    >
      <p>It can't be taken back.</p>
    </ConfirmPage>,
  );
  expect(html).toContain('<form method="post" action="/staff/people/1/delete">');
  expect(html).toContain(
    '<input type="hidden" name="csrf" value="the token"><input type="hidden" name="sure" value="yes">',
  );
  expect(html).toContain('<a href="/staff/people/1">Cancel</a>');
  expect(html).toContain("&lt;b&gt;Ada&lt;/b&gt; is disabled.");
  expect(html).toContain('action="/staff/people/1/enable"');
});
