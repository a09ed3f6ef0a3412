import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seededRandom, systemRandom } from '../../packages/clock/ids.ts'
import { sql } from '../../packages/sql/sql.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import type { Boundary } from '../../services/bridge/durable/boundaries.ts'
import { corridorPlace, type CorridorPlace } from './corridor-place.ts'
import { tellFigures } from './fault-figures.ts'
import { InsistentSender } from './insistent-sender.ts'
import { sum } from './message-fates.ts'

const isLong = process.env['CORRIDOR_TEST_LONG'] === 'true'
const seed = Number(process.env['CORRIDOR_TEST_SEED'] ?? systemRandom.below(2 ** 31))

/** Taken in turn; `undefined` is any moment. The short run has those that only the real stages pass. */
const moments: readonly (Boundary | undefined)[] = isLong
  ? [
      ...(['framed', 'journaled', 'enriched', 'transformed', 'governed', 'stored', 'settled'] as const),
      ...(['before-ack', 'acked', 'dispatched', 'audited', undefined, undefined, undefined] as const),
    ]
  : ['stored', 'dispatched']
const kills = moments.length * (isLong ? 9 : 1)

describe(`${kills} kills of a Corridor with all its stages under 16 senders (CORRIDOR_TEST_SEED=${seed})`, () => {
  const random = seededRandom(seed)
  const senders = new Map<string, InsistentSender>()
  let place: CorridorPlace

  beforeAll(
    async () => {
      place = await corridorPlace()
      for (let number = 0; number < 16; number++) {
        const patient = `K${number}`
        const isLab = number % 4 === 3
        const port = () => place.portOf(isLab ? 'oru' : 'adt')
        senders.set(patient, new InsistentSender({ port, patient, messageOf: isLab ? newResult : newName }))
      }
      for (const sender of senders.values()) sender.start()
      for (let kill = 0; kill < kills; kill++) await liveAndDie(moments[kill % moments.length])
      await place.start()
      await Promise.all([...senders.values()].map((sender) => sender.stop()))
      await place.untilDone({ isPatient: isLong })
    },
    kills * 60_000 + 500_000,
  )

  afterAll(() => place?.[Symbol.asyncDispose]())

  /** One life: it ends at the boundary by itself, or at any moment from outside. */
  async function liveAndDie(moment: Boundary | undefined): Promise<void> {
    const often = moment === 'audited' ? 3 : 40
    await using life = await place.start(moment && { at: moment, after: 1 + random.below(often) })
    if (moment === undefined) {
      const wanted = sum(senders) + random.below(60)
      await Promise.race([waitFor(() => sum(senders) >= wanted, { what: 'answers', deadlineMs: 60_000 }), life.ended])
      await life.kill()
    }
    expect(await life.ended).toMatchObject({ signal: 'SIGKILL' })
  }

  it('had messages to lose, and struck some in the middle', () => {
    expect(sum(senders)).toBeGreaterThan(kills)
    expect([...senders.values()].reduce((total, { sends }) => total + sends, 0)).toBeGreaterThan(sum(senders))
  })

  it('changed the store once for each message, in the order of each patient, and told every subscriber', async ({
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

const header = (type: string, controlId: string) =>
  `MSH|^~\\&|HIS|CENTRAL|HUB|CORRIDOR|20260304||${type}|${controlId}|P|2.5.1\r`

/** Each message gives the patient another name. */
const newName = (patient: string, controlId: string): string =>
  `${header('ADT^A08', controlId)}PID|1||${patient}^^^CENTRAL^MR||DOE^N${controlId}||19800101|F\r`

/** Each message is a critical result of its own. */
const newResult = (patient: string, controlId: string): string =>
  `${header('ORU^R01', controlId)}PID|1||${patient}^^^CENTRAL^MR||ROE^RICHARD||19800101|M\r` +
  `OBR|1|${controlId}|F${controlId}|58410-2^CBC panel^LN|||20260304\r` +
  `OBX|1|ST|2823-3^Potassium^LN||N${controlId}|||HH|||F\r`
