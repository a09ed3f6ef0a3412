export interface Figures {
  /** A request; what workers in the background add is less than one. */
  readonly statements: number
  readonly medianMs: number
}

const rounds = 3
const requestsARound = 10

/** What two kinds of request cost, asked in turn so that a busy moment hits both. */
export async function figuresOf<Kind extends string, Request>(
  requests: Readonly<Record<Kind, Request>>,
  send: (request: Request) => Promise<unknown>,
  statements: () => Promise<number>,
): Promise<Readonly<Record<Kind, Figures>>> {
  // Sound: the keys are those of the record, each once.
  const kinds = Object.keys(requests) as Kind[]
  const counted = new Map<Kind, number[]>(kinds.map((kind) => [kind, []]))
  const taken = new Map<Kind, number[]>(kinds.map((kind) => [kind, []]))
  for (let round = 0; round < rounds; round++) {
    for (const kind of kinds) {
      const before = await statements()
      for (let one = 0; one < requestsARound; one++) {
        const startedMs = performance.now()
        await send(requests[kind])
        taken.get(kind)?.push(performance.now() - startedMs)
      }
      counted.get(kind)?.push(Math.floor(((await statements()) - before) / requestsARound))
    }
  }
  return Object.fromEntries(
    kinds.map((kind) => [
      kind,
      { statements: Math.min(...(counted.get(kind) ?? [])), medianMs: median(taken.get(kind) ?? []) },
    ]),
  ) as Record<Kind, Figures>
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
