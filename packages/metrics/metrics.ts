import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'

/** In ms. The usual 10 wake an idle process a hundred times a second; whoever watches asks about half seconds. */
const eventLoopMonitoringPrecision = 50

/**
 * One registry a running Corridor (or a running part of it), never a global one: everything must live twice in one
 * process. Metric names start with `corridor_` and end in their unit.
 */
export class Metrics {
  readonly #registry = new Registry()
  readonly #known = new Map<string, Counter | Gauge | Histogram>()
  readonly #looks: (() => void | Promise<void>)[] = []

  /** @param options.process also the figures of the Node process (memory, event loop); once a process. */
  constructor(options: { process?: boolean } = {}) {
    if (options.process === true) {
      collectDefaultMetrics({ register: this.#registry, prefix: 'corridor_', eventLoopMonitoringPrecision })
    }
  }

  counter<Label extends string = never>(name: string, help: string, labels: readonly Label[] = []): Counter<Label> {
    return this.#once(
      name,
      () => new Counter<Label>({ name, help, labelNames: [...labels], registers: [this.#registry] }),
    )
  }

  gauge<Label extends string = never>(name: string, help: string, labels: readonly Label[] = []): Gauge<Label> {
    return this.#once(
      name,
      () => new Gauge<Label>({ name, help, labelNames: [...labels], registers: [this.#registry] }),
    )
  }

  histogram<Label extends string = never>(
    name: string,
    help: string,
    labels: readonly Label[] = [],
    buckets: readonly number[] = secondsBuckets,
  ): Histogram<Label> {
    return this.#once(
      name,
      () =>
        new Histogram<Label>({
          name,
          help,
          labelNames: [...labels],
          buckets: [...buckets],
          registers: [this.#registry],
        }),
    )
  }

  /** For what is cheaper to look at when somebody asks than to follow all the time. A look may not fail. */
  whenAsked(look: () => void | Promise<void>): void {
    this.#looks.push(look)
  }

  /** The Prometheus text format, version 0.0.4. */
  async text(): Promise<string> {
    await Promise.all(this.#looks.map(async (look) => look()))
    return this.#registry.metrics()
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  #once<Metric extends Counter | Gauge | Histogram>(name: string, make: () => Metric): Metric {
    const known = this.#known.get(name)
    // Sound: a name is declared with one kind and one set of labels; prom-client itself refuses a second declaration.
    if (known !== undefined) return known as Metric
    const made = make()
    this.#known.set(name, made)
    return made
  }
}

const secondsBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
