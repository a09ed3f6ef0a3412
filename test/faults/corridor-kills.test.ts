import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../../packages/clock/ids.ts'
import { casesOf, isLongRun } from '../../packages/testkit/extent.ts'
import { testSeed } from '../../packages/testkit/test-seed.ts'
import type { Boundary } from '../../services/bridge/pipeline/boundaries.ts'
import { corridorPlace, type CorridorPlace } from './places/corridor-place.ts'
import { tellFigures } from './findings/fault-figures.ts'
import { loggedMessages } from './findings/logged-messages.ts'
import { newName, newResult } from './crowd/numbered-messages.ts'
import { numbered, Senders } from './crowd/senders.ts'

const seed = testSeed()

/** Taken in turn; `undefined` is any moment. The short run has those that only the real stages pass. */
const moments: readonly (Boundary | undefined)[] = isLongRun
  ? [
      ...(['framed', 'journaled', 'enriched', 'transformed', 'governed', 'stored', 'settled'] as const),
      ...(['before-ack', 'acked', 'dispatched', 'audited', undefined, undefined, undefined] as const),
    ]
  : ['stored', 'dispatched']
const kills = moments.length * casesOf({ daily: 1, long: 7 })

describe(`${kills} kills of a Corridor with all its stages under 16 senders (CORRIDOR_TEST_SEED=${seed})`, () => {
  const random = seededRandom(seed)
  let place: CorridorPlace
  let senders: Senders

  beforeAll(
    async () => {
      place = await corridorPlace()
      senders = new Senders(numbered('K', 16), (patient) =>
        labPatients.has(patient)
          ? { port: () => place.portOf('oru'), messageOf: newResult }
          : { port: () => place.portOf('adt'), messageOf: newName },
      )
      senders.start()
      for (let kill = 0; kill < kills; kill++) await liveAndDie(moments[kill % moments.length])
      await place.start()
      await senders.stop()
      await place.untilDone({ isPatient: isLongRun })
    },
    kills * 60_000 + 500_000,
  )

  afterAll(() => place?.[Symbol.asyncDispose]())

  /** One life: it ends at the boundary by itself, or at any moment from outside. */
  async function liveAndDie(moment: Boundary | undefined): Promise<void> {
    const often = moment === 'audited' ? 3 : 40
    await using life = await place.start(moment && { at: moment, after: 1 + random.below(often) })
    if (moment === undefined) {
      await Promise.race([senders.untilMore(random.below(60), { deadlineMs: 60_000 }), life.ended])
      await life.kill()
    }
    expect(await life.ended).toMatchObject({ signal: 'SIGKILL' })
  }

  it('had messages to lose, and struck some in the middle', () => {
    expect(senders.acknowledged).toBeGreaterThan(kills)
    expect(senders.sends).toBeGreaterThan(senders.acknowledged)
  })

  it('changed the store once for each message, in the order of each patient, and told every subscriber', async ({
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

/** Every fourth patient has results, the others have other names. */
const labPatients: ReadonlySet<string> = new Set(['K3', 'K7', 'K11', 'K15'])
