/** Which authorization a service's requests carry, and that a kind without its secrets is refused at the start. */
import { expect, it } from "vitest";
import { authorizer } from "../../src/wire/authorize.js";
import type { Credentials } from "../../src/wire/edgerc.js";
import { noAnswers } from "../lab/checked.js";

const keys: Credentials = {
  host: "h.example",
  clientToken: "t",
  clientSecret: "s",
  accessToken: "a",
  place: "a test",
  warnings: [],
};
const all: Credentials = { ...keys, basicUsername: "user", basicPassword: "pass:word", bearerToken: "token" };
const request = { method: "GET", url: new URL("https://h.example/x"), headers: {}, answers: noAnswers };

it("--auth names the kind of some services, and the others are signed", () => {
  const headers = authorizer(" events = basic ,dns=none,purge=bearer,reporting=edgegrid", all);
  expect(headers("events", request)).toEqual({ authorization: `Basic ${btoa("user:pass:word")}` });
  expect(headers("purge", request)).toEqual({ authorization: "Bearer token" });
  expect(headers("dns", request)).toEqual({});
  for (const service of ["reporting", "contracts"])
    expect(headers(service, request)["authorization"]).toMatch(/^EG1-HMAC-SHA256 client_token=t;access_token=a;/);
  expect(authorizer(undefined, keys)("events", request)["authorization"]).toMatch(/^EG1-HMAC-SHA256 /);
});

it.each<[setting: string, credentials: Credentials, says: RegExp]>([
  ["events=basic", keys, /basic_username and basic_password is not configured/],
  ["events=basic", { ...keys, basicUsername: "user" }, /basic_username and basic_password/],
  ["events=basic", { ...keys, basicPassword: "pass" }, /basic_username and basic_password/],
  ["events=bearer", keys, /bearer_token is not configured/],
  ["events=basik", all, /did you mean "basic"/],
  ["=basic", all, /--auth is invalid/],
  ["events", all, /--auth is invalid/],
])("--auth %j is refused if it is invalid or its secrets are missing", (setting, credentials, says) => {
  expect(() => authorizer(setting, credentials)).toThrow(
    expect.objectContaining({ code: "bad_configuration", message: expect.stringMatching(says) }),
  );
});
