import { describe, expect, it } from 'vitest'
import { casesOf, casesTimeoutMs } from '../../../packages/testkit/extent.ts'
import { testSeed } from '../../../packages/testkit/test-seed.ts'
import { contentHash } from '../../../services/bridge/pipeline/seen-key.ts'
import { tellFigures } from '../findings/fault-figures.ts'
import { failedSeeds } from './failed-seeds.ts'
import { runHistory, type Spoil } from './run-history.ts'

const count = casesOf({ daily: 500, long: 8_000, night: 50_000 })
const first = testSeed()

/** What these worlds have seen; their faults with the seed of each. */
async function lived(seeds: readonly number[], spoil?: Spoil) {
  const faults: string[] = []
  let [kills, messages] = [0, 0]
  for (const seed of seeds) {
    const history = await runHistory(seed, spoil)
    faults.push(...history.faults.map((fault) => `seed ${seed}: ${fault}`))
    kills += history.kills
    messages += history.messages
  }
  return { faults, kills, messages }
}

const faultsOf = async (seeds: readonly number[], spoil?: Spoil) => (await lived(seeds, spoil)).faults

const seedsFrom = (seed: number, length: number) => Array.from({ length }, (_, index) => seed + index)

describe('the simulated bridge', { timeout: casesTimeoutMs }, () => {
  it(`keeps its promises in ${count} worlds (CORRIDOR_TEST_SEED=${first})`, async ({ task }) => {
    const { faults, kills, messages } = await lived(seedsFrom(first, count))
    tellFigures(task, { kills, histories: count, seen: `${messages} messages went through simulated worlds` })
    expect(faults).toEqual([])
  })

  it.each(failedSeeds)('keeps them in world %i, where once %s', async (seed) => {
    expect(await faultsOf([seed])).toEqual([])
  })

  it('goes the same way again from the same seed', async () => {
    const [once, again] = [await runHistory(first), await runHistory(first)]
    expect(again.trace).toBe(once.trace)
    expect(once.messages).toBeGreaterThan(0)
  })

  /** A simulator that cannot fail shows nothing. */
  const spoils: readonly (readonly [what: string, spoil: Spoil, fault: RegExp])[] = [
    ['an end that is not kept', (tables) => own(tables, { settle: async () => {} }), /AA, but the log has/],
    [
      'a turn that comes too early',
      (tables) =>
        own(tables, {
          async journal(...given) {
            const { seen, places } = await tables.journal(...given)
            return { seen, places: places.map((place) => ({ ...place, ahead: null, own: [] })) }
          },
        }),
      /the store was changed by/,
    ],
    [
      'a duplicate that is not known',
      (tables) =>
        own(tables, {
          journal: (entries, options) =>
            tables.journal(
              entries.map((entry) => ({ ...entry, key: contentHash(Buffer.from(entry.transactionId)) })),
              options,
            ),
        }),
      /done \d times/,
    ],
  ]
  it.each(spoils)(
    'notices %s',
    async (_, spoil, fault) => {
      expect((await faultsOf(seedsFrom(1, 12), spoil)).join('\n')).toMatch(fault)
    },
    120_000,
  )
})

/** The tables with something else in the place of some of their methods. */
const own = (tables: Parameters<Spoil>[0], changes: Partial<ReturnType<Spoil>>): ReturnType<Spoil> =>
  new Proxy(tables, {
    get: (target, name) => Reflect.get(changes, name) ?? (Reflect.get(target, name) as () => unknown).bind(target),
  })
