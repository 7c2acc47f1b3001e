import { expect, test } from "bun:test";
import { join } from "node:path";
import { judgeFile } from "../../src/config/index.ts";
import { readEnvironmentFile } from "../../src/core/text/environment.file.ts";

const saidOf = (text: string): readonly string[] =>
  judgeFile(text).findings.map(({ line, level, says }) => `${line} ${level}: ${says}`);

// As a systemd of 252 has given them to a program.
test("a file of settings is read as systemd reads it", () => {
  const text = `A = 1h
B=5 # five
export C=3
D="a
b"
;E=1
# F=\\
F=a\\
b
G
H=x
H=y
 I=1 \t
L='a'b
M=a "b" c
N="x" # c
O=a\\nb
P="a\\nb\\"\\$"
Q="$HOME"
Z-Y=1
1A=2
R=\r
S=#7c3aed
J="unclosed
K=2
`;
  const values = readEnvironmentFile(text).assignments.map(({ name, value }) => [name, value]);
  expect(Object.fromEntries(values)).toEqual({
    A: "1h",
    B: "5 # five",
    D: "a\nb",
    F: "ab",
    H: "y",
    I: "1",
    L: "ab",
    M: 'a "b" c',
    N: "x# c",
    O: "anb",
    P: 'a\\nb"$',
    Q: "$HOME",
    R: "",
    S: "#7c3aed",
    J: "unclosed\nK=2\n",
  });
});

test("R-72 what a line sets otherwise than it looks is told with its number", () => {
  const text = `# Settings
AUTH_SESSION_TTL = 1h
MAIL_HOST=
STORAGE_UPLOADS_DRIVR=local
MAIL_SMTP_HOST=
export APP_URL=https://auth.example.test

APP_DISPLAY_NAME=Example # ours
API_HTTP_PORT
API_HTTP_PORT=1
EXAMPLE_COLOR=red
API_HTTP_PORT=2
APP-URL=x
API_JWT_PREVIOUS_PUBLIC_KEYS="-----BEGIN
-----END"
MAIL_FROM="Ada <ada@example.test>
`;
  expect(saidOf(text)).toEqual([
    "2 note: AUTH_SESSION_TTL has blanks beside its =: systemd drops them, while podman, docker and shells don't set the variable",
    "3 wrong: MAIL_HOST is no variable and changes nothing: is MAIL_SMTP_HOST meant?",
    "4 wrong: STORAGE_UPLOADS_DRIVR is no variable and changes nothing: is STORAGE_UPLOADS_DRIVER meant?",
    "5 note: MAIL_SMTP_HOST is empty, which counts as not set",
    "6 wrong: it begins with export, which only shells know, and sets nothing: leave that word out",
    "8 note: APP_DISPLAY_NAME has what follows the # in its value: a comment stands in a line of its own",
    "9 wrong: it has no = and sets nothing",
    "10 note: API_HTTP_PORT is set again in line 12, which counts",
    "11 note: EXAMPLE_COLOR is no variable of Gatehouse, and changes nothing there",
    "13 wrong: it sets nothing: before the = there is no name of letters, digits and underscores",
    "16 wrong: MAIL_FROM has a quote that is not closed: the rest of the file is in its value",
  ]);
});

test.each([
  ["AUTH_SESION_TTL", "AUTH_SESSION_TTL"],
  ["ADMIN_AP_URL", "ADMIN_APP_URL"],
  ["DB_DATABSE", "DB_DATABASE"],
  ["app_url", "APP_URL"],
  ["APP_KEYS", "APP_KEY"],
  ["APP_KEY_FLIE", "APP_KEY_FILE"],
  ["SESSION_TTL", "AUTH_SESSION_TTL"],
  ["SMTP_HOST", "MAIL_SMTP_HOST"],
  ["AUTH_SESSION_TTL_SECONDS", "AUTH_SESSION_TTL"],
  ["CACHE_PROFILES_DIRVER", "CACHE_PROFILES_DRIVER"],
  ["CAHCE_PROFILES_DRIVER", "CACHE_PROFILES_DRIVER"],
  ["ADMIN_STORAGE_UPLOADS_BUKET", "ADMIN_STORAGE_UPLOADS_BUCKET"],
  ["STORAGE_USER_FILES_SECRET_ACESS_KEY", "STORAGE_USER_FILES_SECRET_ACCESS_KEY"],
  ["QUEUE_REPORTS_ULR", "QUEUE_REPORTS_URL"],
  ["WEBHOK_SHOP_URL", "WEBHOOK_SHOP_URL"],
  ["AUTH_OIDC_OKTA_ISUER", "AUTH_OIDC_OKTA_ISSUER"],
] as const)("R-72 in a file of settings %s is taken for %s", (name, meant) => {
  expect(saidOf(`${name}=1`)).toEqual([`1 wrong: ${name} is no variable and changes nothing: is ${meant} meant?`]);
});

test.each([".env.example", "systemd/gatehouse.env.example", "systemd/gatehouse.hosts.env.example"])(
  "nothing is to be said of %s, nor of what it shows in comments",
  async (path) => {
    const text = await Bun.file(join(import.meta.dir, "../..", path)).text();
    expect(saidOf(text).filter((said) => !said.includes("is empty"))).toEqual([]);
    const shown = text.replaceAll(/^#(?=[A-Z_]+=)/gm, "");
    expect(saidOf(shown).filter((said) => !/is empty|is set again/.test(said))).toEqual([]);
  },
);

test("names of ours, of files with secrets and of the runtime are right", () => {
  const names = ["APP_URL", "ADMIN_APP_URL", "APP_KEY_FILE", "STORAGE_UPLOADS_PATH", "WEBHOOK_SHOP_SECRET_FILE"];
  const others = ["TZ", "LC_ALL", "NODE_EXTRA_CA_CERTS", "https_proxy"];
  expect(saidOf([...names, ...others].map((name) => `${name}=1\n`).join(""))).toEqual([]);
});

test("R-72 a piece of a secret in a line by itself is not repeated", () => {
  const secret = "kJ8sQ2vX9zLmN4pR7tYwB3cD6fGhAa1E";
  for (const text of [secret, `${secret}=`, `APP_KEY=${secret}\n+${secret}==\n`, `-----${secret}`])
    expect(saidOf(text).join()).not.toContain(secret);
  expect(saidOf(`${secret}=`)).toEqual([
    "1 note: what it names is no variable of Gatehouse, and changes nothing there",
  ]);
});
