/** Profiles at a shell and over stdio; test/system/profiles has the doctor, the policy and the addresses. */
import { expect, it } from "vitest";
import { connect } from "../../lab/session.js";
import { profiled } from "../profiled.js";

const { path, run } = profiled();

it("a call is made in the default profile, or in the one of --profile", async () => {
  const profileOf = async (...flags: string[]) =>
    (JSON.parse((await run(...flags, "call", "event_get", "--eventId", "20051")).stdout) as { profile: string })
      .profile;
  expect(await profileOf()).toBe("reading");
  expect(await profileOf("--profile", "writing")).toBe("writing");
  const within = await run("call", "event_get", '{"eventId": "20051", "profile": "writing"}');
  expect(JSON.parse(within.stdout)).toMatchObject({ status: 200, profile: "writing" });
});

it("the list has the profiles, although the command of one fails", async () => {
  const session = await connect("v2 2026 stdio", {
    flags: ["--config", path(), "--surface", "all", "--apis", "documents"],
  });
  const { tools } = await session.client.listTools();
  for (const { inputSchema } of tools)
    expect(inputSchema.properties?.["profile"]).toMatchObject({ enum: ["reading", "writing", "broken"] });
  const { structuredContent } = await session.call("event_get", { eventId: "20051", profile: "broken" });
  expect(structuredContent).toMatchObject({ error: "unauthorized", upstream: "no profile" });
  const { structuredContent: read } = await session.call("event_get", { eventId: "20051" });
  expect(read).toMatchObject({ status: 200, profile: "reading" });
  expect(JSON.stringify(read["times"])).toContain("+09:00");
  await session.close();
});
