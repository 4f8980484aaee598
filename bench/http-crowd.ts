/** Clients that take up a server without asking much of it: connections without a request, and readers that hardly read. */
import type { Socket } from "node:net";
import { type Endpoint, openSocket, requestOf } from "./http-client.js";

const [idleConnections, slowReaders] = [2_000, 50];
/** How many answers a slow reader asks for at once, so that they do not fit into the buffers of the system. */
const askedAtOnce = 40;
const [readBytes, readEveryMs] = [16 * 1024, 200];

/** Has a client ask for the list of tools, and read a piece of it now and then. */
async function startSlowReader(endpoint: Endpoint): Promise<Socket> {
  const socket = await openSocket(endpoint);
  socket.on("error", () => undefined);
  socket.pause();
  socket.write(requestOf(endpoint, "tools/list", {}).repeat(askedAtOnce));
  const timer = setInterval(() => socket.read(readBytes), readEveryMs);
  socket.once("close", () => clearInterval(timer));
  return socket;
}

export interface Crowd {
  /** How many of its connections the server has closed. */
  closed(): number;
  leave(): void;
}

/** Has all of them connect to a server. */
export async function gather(endpoint: Endpoint): Promise<Crowd> {
  const sockets: Socket[] = [];
  let closed = 0;
  for (let at = 0; at < idleConnections; at += 1) {
    const socket = await openSocket(endpoint);
    socket
      .on("error", () => undefined)
      .on("close", () => {
        closed += 1;
      });
    // Only what is read tells of an end.
    socket.resume();
    sockets.push(socket);
  }
  for (let at = 0; at < slowReaders; at += 1) sockets.push(await startSlowReader(endpoint));
  return {
    closed: () => closed,
    leave() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
