/** Arguments in other words than the API takes, on a made-up service: replaced by what was read, or refused before sending. */
import { describe, expect, it } from "vitest";
import { caller, start } from "../lab/made-up.js";

const parts = { parts: ["lid", "handle"] };
const upstream = ({ url }: { url: URL }) => ({ body: url.pathname.endsWith("/parts") ? parts : { done: true } });

describe("an argument that is found by reading", () => {
  it("an argument found by reading is sent in the API's form, and noted", async () => {
    const { calls, sent } = start(upstream);
    const outcome = await calls.call("things_find", { box: "a", ids: ["handle", 7] }, caller);
    expect(sent).toEqual(["GET /things/1/parts", "GET /boxes/box-a/things?ids=1%2C7"]);
    expect(outcome).toMatchObject({ kind: "answer", reply: { notes: ["Found by name."] } });
  });

  it("an argument that reading cannot find is refused before sending", async () => {
    const { calls, sent } = start(upstream);
    const outcome = await calls.call("things_find", { box: "a", ids: ["lid", "spout"] }, caller);
    expect(outcome).toMatchObject({
      kind: "failure",
      failure: { code: "invalid_input", detail: { fields: [{ field: "ids[1]", takes: "a part" }] } },
    });
    expect(sent).toEqual(["GET /things/1/parts"]);
  });

  it("is not guessed where the read fails", async () => {
    const { calls, sent } = start(() => ({ status: 404 }));
    expect(await calls.call("things_find", { box: "a", ids: ["lid"] }, caller)).toMatchObject({ kind: "failure" });
    expect(sent).toEqual(["GET /things/1/parts"]);
  });
});
