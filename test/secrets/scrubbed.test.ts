/** No text that leaves holds a secret of the process, in any form in which an upstream could send it back. */
import { expect, it } from "vitest";
import { scrub, secretForms } from "../../src/secrets/held-secrets.js";

/** In UTF-8, its base64 has all of `+`, `/` and `=`; it has characters that a URL and JSON escape. */
const secret = 'ÿ>"\\ ~~?>ÿ?';
const base64 = Buffer.from(secret).toString("base64");

it.each<[string, string]>([
  ["as it is", secret],
  ["escaped for a URL", encodeURIComponent(secret)],
  ["in base64", base64],
  ["in base64 without its padding", base64.replaceAll("=", "")],
  ["in base64 for URLs", base64.replaceAll("+", "-").replaceAll("/", "_")],
  ["in base64 for URLs without its padding", Buffer.from(secret).toString("base64url")],
  ["escaped for JSON", JSON.stringify(secret).slice(1, -1)],
])("a secret is removed %s, each time, and nothing else is", (_, form) => {
  const forms = secretForms([secret]);
  expect(scrub(`<${form}> and <${form}>`, forms)).toBe("<[secret]> and <[secret]>");
  expect(forms).toContain(form);
});

it("a secret is removed whole, even if another is a part of it", () => {
  const [part, whole] = ["abcdefgh", "abcdefgh-ijklmnop"];
  for (const secrets of [
    [part, whole],
    [whole, part],
  ])
    expect(scrub(`${whole} ${part}`, secretForms(secrets))).toBe("[secret] [secret]");
});

it("a secret is removed from eight characters on, and nothing else", () => {
  expect(scrub("12345678 1234567", secretForms(["12345678"]))).toBe("[secret] 1234567");
  expect(secretForms(["1234567", ""])).toEqual([]);
  expect(scrub("nothing to hide", secretForms([secret]))).toBe("nothing to hide");
  expect(scrub("nothing to hide", [])).toBe("nothing to hide");
});
