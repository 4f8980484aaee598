/** Progress is told in short messages, whatever the things are called that it is about. */
import type { ServerContext } from "@modelcontextprotocol/server";
import { expect, it } from "vitest";
import { progressOf } from "../../src/mcp/call.js";

function told(progressToken: string | undefined) {
  const sent: unknown[] = [];
  const notify = async (notification: unknown) => void sent.push(notification);
  const ctx = { mcpReq: { _meta: { progressToken }, notify } } as unknown as ServerContext;
  return { sent, progress: progressOf(ctx) };
}

it("bounds a message, and leaves a short one as it is", async () => {
  const { sent, progress } = told("a token");
  await progress(1, "activations of a property: done", 3);
  await progress(2, `activations of ${"x".repeat(10_000)}: done`);
  expect(sent).toEqual([
    {
      method: "notifications/progress",
      params: { progressToken: "a token", progress: 1, message: "activations of a property: done", total: 3 },
    },
    {
      method: "notifications/progress",
      params: { progressToken: "a token", progress: 2, message: `activations of ${"x".repeat(485)}` },
    },
  ]);
});

it("tells nothing where nobody asked", async () => {
  const { sent, progress } = told(undefined);
  await progress(1, "a step");
  expect(sent).toEqual([]);
});
