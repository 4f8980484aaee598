/** Counters, histograms and gauges, and their text in Prometheus' exposition format 0.0.4. */

/** A value with its labels. */
interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What a gauge reads: one value, or several with their labels. */
export type MeterReading = number | readonly Sample[];

interface Family {
  readonly head: string;
  /** The lines of its samples. */
  lines(): Promise<readonly string[]>;
}

const escaped = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
const number = (value: number): string => (value === Number.POSITIVE_INFINITY ? "+Inf" : String(value));

const labelled = (labels: Readonly<Record<string, string>>): string => {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
};

/** The series of a family by the values of its labels. */
class MeterSeries<T> {
  readonly #all = new Map<string, { readonly labels: Readonly<Record<string, string>>; readonly value: T }>();

  constructor(
    private readonly names: readonly string[],
    private readonly create: () => T,
  ) {}

  of(values: readonly string[]): T {
    const key = values.join("\0");
    const known = this.#all.get(key);
    if (known) return known.value;
    const labels = Object.fromEntries(this.names.map((name, at) => [name, values[at] ?? ""]));
    const entry = { labels, value: this.create() };
    this.#all.set(key, entry);
    return entry.value;
  }

  all() {
    return [...this.#all.values()];
  }
}

/** The metrics of a process. */
export class Meters {
  readonly #families = new Map<string, Family>();

  #add(name: string, type: string, help: string, lines: Family["lines"]): void {
    this.#families.set(name, { head: `# HELP ${name} ${help}\n# TYPE ${name} ${type}`, lines });
  }

  /** A counter; its name ends in `_total`. */
  counter(name: string, help: string, labels: readonly string[]): (...values: readonly string[]) => void {
    const series = new MeterSeries(labels, () => ({ count: 0 }));
    this.#add(name, "counter", help, async () =>
      series.all().map(({ labels: own, value }) => `${name}${labelled(own)} ${value.count}`),
    );
    return (...values) => {
      series.of(values).count += 1;
    };
  }

  /** @param bounds The upper bounds of its buckets, ascending, without the last one, which is infinite. */
  histogram(name: string, help: string, labels: readonly string[], bounds: readonly number[]) {
    const all = [...bounds, Number.POSITIVE_INFINITY];
    const series = new MeterSeries(labels, () => ({ counts: all.map(() => 0), sum: 0 }));
    this.#add(name, "histogram", help, async () =>
      series.all().flatMap(({ labels: own, value: { counts, sum } }) => {
        let below = 0;
        const buckets = all.map((bound, at) => {
          below += counts[at] ?? 0;
          return `${name}_bucket${labelled({ ...own, le: number(bound) })} ${below}`;
        });
        return [...buckets, `${name}_sum${labelled(own)} ${sum}`, `${name}_count${labelled(own)} ${below}`];
      }),
    );
    return (value: number, ...values: readonly string[]): void => {
      const found = series.of(values);
      const at = all.findIndex((bound) => value <= bound);
      found.counts[at] = (found.counts[at] ?? 0) + 1;
      found.sum += value;
    };
  }

  /**
   * A value that is read when it is asked for; one that cannot be read is left out.
   * @param type `counter` for what only ever grows, such as processor time.
   */
  gauge(
    name: string,
    help: string,
    read: () => MeterReading | Promise<MeterReading>,
    type: "gauge" | "counter" = "gauge",
  ): void {
    this.#add(name, type, help, async () => {
      const found = await read();
      const samples = typeof found === "number" ? [{ labels: {}, value: found }] : found;
      return samples.map(({ labels, value }) => `${name}${labelled(labels)} ${number(value)}`);
    });
  }

  /** All metrics as text. */
  async text(): Promise<string> {
    const parts = await Promise.all(
      [...this.#families.values()].map(async ({ head, lines }) => {
        const own = await lines().catch(() => []);
        return own.length === 0 ? [] : [head, ...own];
      }),
    );
    return `${parts.flat().join("\n")}\n`;
  }
}
