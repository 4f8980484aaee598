/** Runs one driver in its own process, on the Node that its client needs, and does what the parent sends. */
import { argv } from "node:process";

const { open } = await import(new URL(argv[2], import.meta.url).href);
let session;
let questions = 0;

/** Approves, and types what a form wants typed; counts how often it was asked. */
function approve({ properties }) {
  questions += 1;
  const answers = Object.entries(properties).map(([name, { type, description = "" }]) => [
    name,
    type === "boolean" ? true : description.replace(/^Type exactly: /, ""),
  ]);
  return { action: "accept", content: Object.fromEntries(answers) };
}

const work = {
  open: async (target, asks) => {
    session = await open(target, asks ? approve : undefined);
  },
  questions: () => questions,
  close: () => session.close(),
};

/** A client's failure may hold its reason in a value of any kind, or in a cause. */
const said = (error) => {
  if (!(error instanceof Error)) return JSON.stringify(error) ?? String(error);
  return error.cause instanceof Error ? `${error.message}: ${error.cause.message}` : error.message;
};

process.on("message", async ({ id, name, args }) => {
  try {
    const own = work[name] ?? session[name];
    const value = typeof own === "function" ? await own(...args) : { absent: own };
    process.send({ id, value });
  } catch (error) {
    process.send({ id, error: said(error) });
  }
});
process.on("disconnect", () => process.exit());
process.send({ ready: true });
