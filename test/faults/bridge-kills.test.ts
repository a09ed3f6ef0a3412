import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom, systemRandom } from '../../packages/clock/ids.ts'
import { sql } from '../../packages/sql/sql.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import type { Boundary } from '../../services/bridge/durable/boundaries.ts'
import { bridgePlace, type BridgePlace } from './bridge-place.ts'
import { tellFigures } from './fault-figures.ts'
import { InsistentSender } from './insistent-sender.ts'
import { sum } from './message-fates.ts'

const kills = process.env['CORRIDOR_TEST_LONG'] === 'true' ? 660 : 44
const seed = Number(process.env['CORRIDOR_TEST_SEED'] ?? systemRandom.below(2 ** 31))

/** Taken in turn; `undefined` is any moment. Deliveries and audit records have their own tests. */
const moments: readonly (Boundary | undefined)[] = [
  ...(['framed', 'journaled', 'enriched', 'transformed', 'governed'] as const),
  ...(['stored', 'settled', 'before-ack', 'acked', undefined, undefined] as const),
]

describe(`${kills} kills of a bridge under 16 senders (CORRIDOR_TEST_SEED=${seed})`, () => {
  const random = seededRandom(seed)
  const senders = new Map<string, InsistentSender>()
  let place: BridgePlace

  beforeAll(async () => {
    place = await bridgePlace()
    for (let number = 0; number < 16; number++) {
      senders.set(`P${number}`, new InsistentSender({ port: () => place.port, patient: `P${number}` }))
    }
    for (const sender of senders.values()) sender.start()
    for (let kill = 0; kill < kills; kill++) await liveAndDie(moments[kill % moments.length])
    await place.start()
    await Promise.all([...senders.values()].map((sender) => sender.stop()))
    await place.untilDone()
  }, kills * 20_000)

  afterAll(() => place?.[Symbol.asyncDispose]())

  /** One life: it ends at the boundary by itself, or at any moment from outside. */
  async function liveAndDie(moment: Boundary | undefined): Promise<void> {
    const crash = moment === undefined ? [] : [moment, String(1 + random.below(40))]
    await using life = await place.start(place.port, ...crash)
    if (moment === undefined) {
      const wanted = sum(senders) + random.below(60)
      await Promise.race([waitFor(() => sum(senders) >= wanted, { what: 'answers', deadlineMs: 20_000 }), life.ended])
      await life.kill()
    }
    const { signal } = await life.ended
    expect([signal, life.errorLines]).toEqual(['SIGKILL', []])
  }

  it('had messages to lose, and struck some in the middle', () => {
    expect(sum(senders)).toBeGreaterThan(kills)
    expect([...senders.values()].reduce((total, { sends }) => total + sends, 0)).toBeGreaterThan(sum(senders))
  })

  it('lost nothing that was acknowledged, applied nothing twice, and kept the order of each patient', async ({
    task,
  }) => {
    const { faults, figures } = await place.fatesOf(senders)
    tellFigures(task, { kills, ...figures })
    expect(faults).toEqual([])
  })

  it('has each message in the log as done once', async () => {
    const done = await place.database.many<{ id: string; count: number }>(sql`
      select control_id as id, count(*)::int as count from bridge.all_transactions where status <> 'DUPLICATE'
      group by control_id`)
    expect(done.filter(({ count }) => count > 1)).toEqual([])
    expect(done).toHaveLength(sum(senders))
  })
})
