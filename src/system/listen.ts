/** Listening on an address: which ones are loopback, and the system's error codes as messages with what to do. */
import type { AddressInfo, Server } from "node:net";
import { Failure } from "../language/failure.js";

interface Reason {
  readonly why: string;
  readonly next: string;
}

const otherHost = "Set --host to an address of this machine.";
const unresolved: Reason = { why: "The host name does not resolve.", next: otherHost };
const reasons: Readonly<Record<string, Reason>> = {
  EADDRINUSE: { why: "Another program listens on this port.", next: "Choose another --port, or 0 for any free one." },
  EACCES: { why: "This user has no permission to listen on this port.", next: "Choose a --port above 1023." },
  EADDRNOTAVAIL: { why: "No network interface of this machine has this address.", next: otherHost },
  ENOTFOUND: unresolved,
  EAI_AGAIN: unresolved,
};

export const loopbackNames: readonly string[] = ["localhost", "127.0.0.1", "[::1]"];
export const isLoopback = (host: string): boolean =>
  loopbackNames.includes(host) || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);

/**
 * Restricts a server without tokens to loopback.
 * @param what The server, as the subject of an error.
 * @throws Failure `bad_configuration` if it would listen beyond loopback.
 */
export function keepToLoopback(host: string, what: string, reason: Reason): void {
  if (!isLoopback(host))
    throw new Failure("bad_configuration", `Without a token ${what} only listens on loopback, not on ${host}.`, reason);
}

/**
 * Starts a server and returns its port, which the system chooses for port 0.
 * @param what The server, as the subject of an error.
 * @throws Failure `bad_configuration` with the reason why it cannot listen.
 */
export async function listen(server: Server, host: string, port: number, what: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", ({ code = "an error without a code" }: NodeJS.ErrnoException) =>
      reject(
        new Failure(
          "bad_configuration",
          `${what} cannot listen on ${host}, port ${port}.`,
          reasons[code] ?? { why: `The system refused it: ${code}.`, next: "Choose another --host or --port." },
        ),
      ),
    );
    server.listen(port, host, resolve);
  });
  return (server.address() as AddressInfo).port;
}
