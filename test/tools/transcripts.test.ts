/** What a person reads before changes are made, and what calls are refused for before they are sent, as reviewed texts. */
import { readdirSync } from "node:fs";
import { expect, it } from "vitest";
import { apis } from "../lab/project.js";
import { replay } from "../lab/transcript.js";

const folder = `transcripts/${apis}`;

// `npx vitest run test/tools/transcripts.test.ts -u` writes the outcomes anew, and their difference is read.
it.each(readdirSync(`test/tools/${folder}`))("is the reviewed transcript of %s", async (name) => {
  await expect(await replay(`test/tools/${folder}/${name}`)).toMatchFileSnapshot(`${folder}/${name}`);
});
