/** A call of a made-up operation through the client, against an upstream that says what it is told to. */
import type { AnyOperation } from "../../src/language/define.js";
import type { Send, WireRequest, WireResponse } from "../../src/language/wire.js";
import { validateArguments } from "../../src/schema/arguments.js";
import { createClient } from "../../src/wire/index.js";
import { sendingWithin } from "./sending.js";

export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** A response that has arrived, whose body is JSON if it says nothing else. */
export const responseOf = ({ status = 200, headers = {}, body = "{}" }: Partial<Answer> = {}): WireResponse => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: ReadableStream.from(body === "" ? [] : [new TextEncoder().encode(body)]),
});

const target = { origin: "https://h.example", vendor: "acme" };
const fixed = { target, authorize: () => ({}), maxResponseBytes: 100_000 };

/** Calls an operation through a client over the given way to send. */
export async function callOver(send: Send, operation: AnyOperation, args: Record<string, unknown>, options = {}) {
  const client = createClient({ ...fixed, send, ...options });
  const request = await client.resolve("x_get", operation, validateArguments("x_get", operation, args));
  return client.call("x_get", "x", operation, request, sendingWithin(1_000));
}

/** What an operation sends, and what it makes of the answers, of which the last is repeated. */
export async function exchange(operation: AnyOperation, args: Record<string, unknown>, ...answers: Answer[]) {
  const sent: WireRequest[] = [];
  const send: Send = async (request) => {
    const answer = answers[sent.length] ?? answers.at(-1);
    sent.push(request);
    return responseOf({ body: "", ...answer });
  };
  const reply = await callOver(send, operation, args);
  return { sent, reply, body: sent[0]?.body && new TextDecoder().decode(sent[0].body) };
}
