interface Figures {
  /** Of a request, until it is answered. */
  readonly statements: number
  readonly medianMs: number
}

const roundsMin = 12
const roundsMax = 200

/**
 * What two kinds of request cost, asked in turn so that a busy moment hits both. Workers in the background, and those
 * who write down afterwards what was asked, add statements and never take one away: so each request is counted by
 * itself, the least that was seen counts, and a difference is looked at again until a request had no company.
 */
export async function figuresOf<Request>(
  requests: readonly [Request, Request],
  send: (request: Request) => Promise<unknown>,
  statements: () => Promise<number>,
): Promise<readonly [Figures, Figures]> {
  const counted: [number[], number[]] = [[], []]
  const taken: [number[], number[]] = [[], []]
  const least = (kind: 0 | 1) => Math.min(...counted[kind])
  let before = await statements()
  for (let round = 0; round < roundsMax; round++) {
    for (const kind of [0, 1] as const) {
      const startedMs = performance.now()
      await send(requests[kind])
      taken[kind].push(performance.now() - startedMs)
      const after = await statements()
      counted[kind].push(after - before)
      before = after
    }
    if (round + 1 >= roundsMin && least(0) === least(1)) break
  }
  const figures = (kind: 0 | 1) => ({ statements: least(kind), medianMs: median(taken[kind]) })
  return [figures(0), figures(1)]
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
