/** An enrollment is written back as it is shown, in each version of its media type. */
import { expect, it } from "vitest";
import { startRaw } from "../../lab/raw.js";

it("an enrollment shown in any version is written back without a change", async () => {
  for (const version of Array.from({ length: 11 }, (_, at) => `v${at + 1}`)) {
    const { ask } = startRaw();
    const [target, type] = ["/cps/v2/enrollments/10001", `application/vnd.akamai.cps.enrollment.${version}+json`];
    const { text: body } = await ask({ target, headers: { accept: type } });
    const { status, text } = await ask({ method: "PUT", target, headers: { "content-type": type }, body });
    expect([version, status, text]).toEqual([version, 200, expect.stringContaining('"changes":[]')]);
  }
});
