import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../../packages/clock/ids.ts'
import { casesOf } from '../../packages/testkit/extent.ts'
import { testSeed } from '../../packages/testkit/test-seed.ts'
import type { Boundary } from '../../services/bridge/pipeline/boundaries.ts'
import { bridgePlace, type BridgePlace } from './places/bridge-place.ts'
import { tellFigures } from './findings/fault-figures.ts'
import { loggedMessages } from './findings/logged-messages.ts'
import { numbered, Senders } from './crowd/senders.ts'

const kills = casesOf({ daily: 132, long: 2_400, night: 3_000 })
/** Of so many one comes at any moment, from outside. */
const oneAtAnyOf = casesOf({ daily: 6, long: 12, night: 4 })
const seed = testSeed()

/** Taken in turn. Deliveries and audit records have their own tests. */
const boundaries: readonly Boundary[] = [
  ...(['framed', 'journaled', 'enriched', 'transformed', 'governed'] as const),
  ...(['stored', 'settled', 'before-ack', 'acked'] as const),
]

function momentOf(kill: number): Boundary | undefined {
  const atAny = Math.floor(kill / oneAtAnyOf) + 1
  return kill % oneAtAnyOf === 0 ? undefined : boundaries[(kill - atAny) % boundaries.length]
}

describe(`${kills} kills of a bridge under 16 senders (CORRIDOR_TEST_SEED=${seed})`, () => {
  const random = seededRandom(seed)
  let place: BridgePlace
  let senders: Senders

  beforeAll(async () => {
    place = await bridgePlace({ hasManyLives: true })
    senders = new Senders(numbered('P', 16), () => ({ port: () => place.port }))
    senders.start()
    for (let kill = 0; kill < kills; kill++) await liveAndDie(momentOf(kill))
    await place.start()
    await senders.stop()
    await place.untilDone()
  }, kills * 20_000)

  afterAll(() => place?.[Symbol.asyncDispose]())

  /** One life: it ends at the boundary by itself, or at any moment from outside. */
  async function liveAndDie(moment: Boundary | undefined): Promise<void> {
    const crash = moment === undefined ? [] : [moment, String(1 + random.below(24))]
    await using life = await place.start(place.port, ...crash)
    if (moment === undefined) {
      await Promise.race([senders.untilMore(random.below(40), { deadlineMs: 20_000 }), life.ended])
      await life.kill()
    }
    const { signal } = await life.ended
    expect([signal, life.errorLines]).toEqual(['SIGKILL', []])
  }

  it('had messages to lose, and struck some in the middle', () => {
    expect(senders.acknowledged).toBeGreaterThan(kills)
    expect(senders.sends).toBeGreaterThan(senders.acknowledged)
  })

  it('lost nothing that was acknowledged, applied nothing twice, and kept the order of each patient', async ({
    task,
  }) => {
    const { faults, figures } = await place.fatesOf(senders)
    tellFigures(task, { kills, ...figures })
    expect(faults).toEqual([])
  })

  it('has each message in the log as done once', async () => {
    expect(await loggedMessages(place.database)).toEqual({ count: senders.acknowledged, notDoneOnce: [] })
  })
})
