import { expect, test } from "bun:test";
import { operatorOf } from "../../src/cli/app/operator.ts";

const passwd = "root:x:0:0::/root:/bin/bash\nada:x:1000:1000::/home/ada:/bin/bash\n";
const files =
  (login: string) =>
  (path: string): string =>
    path === "/etc/passwd" ? passwd : login;
const nobody = "4294967295";

test("R-14 the kernel's word on who has signed in to the host counts before sudo's", () => {
  expect(operatorOf({ SUDO_USER: "grace" }, files("1000"))).toBe("ada");
  expect(operatorOf({}, files("0\n"))).toBe("root");
});

test("R-14 sudo says who it is where no login has begun the process, or the host does not know its user", () => {
  expect(operatorOf({ SUDO_USER: "grace" }, files(nobody))).toBe("grace");
  expect(operatorOf({ SUDO_USER: "grace" }, files(""))).toBe("grace");
  expect(operatorOf({ SUDO_USER: "grace" }, files("4711"))).toBe("grace");
});

test("R-14 nobody is named where nobody is known, and nothing that is no login", () => {
  expect(operatorOf({}, files(nobody))).toBeUndefined();
  for (const name of ["", "ada lovelace", "ada\n", "<b>ada</b>", "=ada", "x".repeat(65), "ада"])
    expect([name, operatorOf({ SUDO_USER: name }, files(nobody))]).toEqual([name, undefined]);
  for (const name of ["ada", "ACME\\ada", "ada@acme.example", "a.b-c_d"])
    expect(operatorOf({ SUDO_USER: name }, files(nobody))).toBe(name);
});
