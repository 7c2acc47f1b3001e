import { expect, test } from "bun:test";
import { auditActions } from "../../src/core/audit.ts";
import { actionInWords } from "../../src/staff/people/event.words.ts";

test("every action of the audit log has words for staff", () => {
  expect(auditActions.filter((action) => actionInWords(action) === action)).toEqual([]);
});
