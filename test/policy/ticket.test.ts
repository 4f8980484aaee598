/** What a pattern of tickets matches, in words and in bounded time. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import {
  matchesTicket,
  maxTicketChars,
  ticketForm,
  ticketInWords,
  ticketPatternForm,
} from "../../src/policy/ticket.js";
import { holdsForEach } from "../lab/laws.js";

const lines = readFileSync(new URL("tickets.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("# "));

it("a pattern matches whole tickets to the letter, and says their form", async () => {
  let pattern = "";
  let tried = 0;
  await holdsForEach(lines, (line) => {
    if (/^[+-] /.test(line)) {
      expect(matchesTicket(pattern, line.slice(2)), pattern).toBe(line.startsWith("+"));
      tried += 1;
      return;
    }
    const [given = "", said] = line.split(" = ");
    pattern = given;
    expect(ticketPatternForm.test(pattern)).toBe(true);
    expect(ticketInWords([pattern])).toBe(said);
  });
  expect(tried).toBe(27);
});

it("patterns of tickets are said in order, with an example if it is one", () => {
  expect(ticketInWords(["OPS-#", "emergency"])).toBe('"OPS-" followed by a number (such as OPS-1234), or "emergency"');
  expect(ticketInWords(["*"])).toBe("any text (such as x)");
  expect(ticketInWords(["-#"])).toBe('"-" followed by a number');
});

it("a ticket is short, visible and of few marks, up to its bounds", () => {
  for (const one of ["OPS-1", "#12", "org/repo#12", "a:b.c_d", "x".repeat(maxTicketChars)])
    expect([one, ticketForm.test(one)]).toEqual([one, true]);
  for (const one of ["", "x".repeat(maxTicketChars + 1), "-1", "a b", "a\n", "é1", "<b>", 'a"', "a`"])
    expect([one, ticketForm.test(one)]).toEqual([one, false]);
});

it("the longest pattern takes no longer than its length allows", () => {
  const startedMs = performance.now();
  for (const part of ["*a", "#*", "#", "*#"])
    expect(matchesTicket(`${part.repeat(32).slice(0, 63)}!`, "1a".repeat(32))).toBe(false);
  expect(matchesTicket("#".repeat(maxTicketChars), "1".repeat(maxTicketChars))).toBe(true);
  // With backtracking these would not end in any time that a test has.
  expect(performance.now() - startedMs).toBeLessThan(1_000);
});
