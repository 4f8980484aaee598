/** The metrics of the process itself, under the names that Prometheus' clients use. */
import type { Meters } from "./meters.js";

export function addProcessMeters(meters: Meters, version: string): void {
  const startedSeconds = Math.round(Date.now() / 1000 - process.uptime());
  meters.gauge("edgewise_build_info", "The version, as a label.", () => [{ labels: { version }, value: 1 }]);
  meters.gauge("process_start_time_seconds", "When the process started, in seconds since 1970.", () => startedSeconds);
  meters.gauge(
    "process_cpu_seconds_total",
    "Processor time of the process.",
    () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1e6;
    },
    "counter",
  );
  meters.gauge("process_resident_memory_bytes", "Memory of the process.", () => process.memoryUsage.rss());
  meters.gauge("nodejs_heap_size_used_bytes", "Memory that JavaScript uses.", () => process.memoryUsage().heapUsed);
  meters.gauge(
    "nodejs_eventloop_utilization_ratio",
    "The part of the time since the start in which the event loop was busy.",
    () => performance.eventLoopUtilization().utilization,
  );
}
