/** Bounds the connections of a server: beyond the bound, the one that has been idle longest makes room. */
import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Refusing new connections instead would let a thousand silent ones lock everybody out.
 * @param max The connections that may be open at a time.
 */
export function boundConnections(server: Server, max: number): void {
  // Requests in progress on each connection, and the connections without any, longest idle first.
  const requests = new Map<Socket, number>();
  const idle = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    requests.set(socket, 0);
    idle.add(socket);
    socket.once("close", () => {
      requests.delete(socket);
      idle.delete(socket);
    });
    if (requests.size <= max) return;
    // When all others are in use, the longest idle is the new one itself.
    const [longest] = idle;
    longest?.destroy();
  });
  server.on("request", ({ socket }, response) => {
    idle.delete(socket);
    requests.set(socket, (requests.get(socket) ?? 0) + 1);
    response.once("close", () => {
      const left = (requests.get(socket) ?? 1) - 1;
      if (!requests.has(socket)) return;
      requests.set(socket, left);
      if (left === 0) idle.add(socket);
    });
  });
}
