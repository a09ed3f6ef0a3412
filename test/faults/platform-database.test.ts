import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serviceNames } from '../../apps/corridor/services.ts'
import { sql } from '../../packages/sql/sql.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { sum } from './bridge-place.ts'
import { tellFigures } from './fault-figures.ts'
import { InsistentSender } from './insistent-sender.ts'
import { readinessOf } from './platform-calls.ts'
import { platformPlace, type PlatformPlace } from './platform-place.ts'
import { RepeatedWork } from './repeated-work.ts'
import { Person } from './platform-person.ts'
import { Writer } from './platform-writer.ts'

const restarts = process.env['CORRIDOR_TEST_LONG'] === 'true' ? 20 : 2

describe(`a PostgreSQL that is restarted ${restarts} times under load`, () => {
  const senders = new Map<string, InsistentSender>()
  const works: RepeatedWork[] = []
  const wentDown: boolean[] = []
  let place: PlatformPlace
  let writer: Writer

  beforeAll(
    async () => {
      place = await platformPlace({
        settings: { 'auth.refreshReuseLeewaySeconds': '30', 'bridge.breaker.openMs': '500' },
      })
      const { corridor } = place
      writer = await Writer.open(corridor)
      const person = new Person(corridor)
      let number = 0
      works.push(
        new RepeatedWork('a person', () => person.round()),
        new RepeatedWork('conditional creates', () => writer.createOnce(number++)),
        new RepeatedWork('consents', () => writer.agreeAndRevoke(number++)),
      )
      for (const patient of ['D0', 'D1', 'D2']) {
        const port = () => corridor.configuration.bridge.channels.adt.port
        senders.set(patient, new InsistentSender({ patient, port }))
      }
      for (const one of [...senders.values(), ...works]) one.start()
      for (let turn = 0; turn < restarts; turn++) {
        await untilEverybodyHasDoneMore()
        await (turn % 2 === 0 ? place.stopPostgres() : place.killPostgres())
        await waitFor(everywhere(503), { what: 'every service to be not ready', deadlineMs: 30_000 })
        wentDown.push(true)
        await place.startPostgres()
        await waitFor(everywhere(200), { what: 'every service to be ready again', deadlineMs: 30_000 })
      }
      await untilEverybodyHasDoneMore()
      await Promise.all([...senders.values(), ...works].map((one) => one.stop()))
      const open = () => place.database.many(sql`select 1 from bridge.open_work`)
      await waitFor(async () => (await open()).length === 0, { what: 'nothing parked', deadlineMs: 120_000 })
    },
    restarts * 90_000 + 120_000,
  )

  afterAll(() => place?.[Symbol.asyncDispose]())

  const everywhere = (wanted: number) => async () =>
    (await Promise.all(serviceNames.map((name) => readinessOf(place.corridor, name)))).every((one) => one === wanted)

  async function untilEverybodyHasDoneMore(): Promise<void> {
    const before = works.map(({ done }) => done)
    const messages = sum(senders) + 10
    const hasMore = () => works.every(({ done, faults }, at) => faults.length > 0 || done > (before[at] ?? 0))
    await waitFor(() => sum(senders) >= messages && hasMore(), { what: 'more to be done', deadlineMs: 60_000 })
  }

  it('breaks nothing for anybody who asks again', ({ task }) => {
    const faults = works.flatMap((work) => work.faults)
    tellFigures(task, { kills: restarts, brokenLogins: faults.length })
    expect([faults, wentDown.length]).toEqual([[], restarts])
  })

  it('loses no message, applies none twice, and keeps the order of each patient', async ({ task }) => {
    const rows = await place.database.many<{ patient: string; names: string[] }>(sql`
      select patient.value as patient,
        (select array_agg(v.content::jsonb #>> '{name,0,given,0}' order by v.version) from fhir.versions v
          where v.type = 'Patient' and v.content like '%"' || patient.value || '"%' and v.content like '%DOE%') as names
      from unnest(${[...senders.keys()]}::text[]) as patient (value)`)
    const found = rows.map(({ names }) => names)
    const wanted = [...senders.values()].map(({ acknowledged }) =>
      Array.from({ length: acknowledged }, (_, at) => `N${at + 1}`),
    )
    const twice = found.reduce((total, names) => total + names.length - new Set(names).size, 0)
    const lost = found.reduce((total, names, at) => total + (wanted[at]?.length ?? 0) - new Set(names).size, 0)
    tellFigures(task, { histories: sum(senders), lost, twice })
    expect(found).toEqual(wanted)
  })

  it('writes once what two wrote at the same time', async ({ task }) => {
    const rows = await place.database.many<{ count: number }>(sql`
      select count(*)::int as count from fhir.versions
      where type = 'Observation' and content like '%urn:written-once%' group by content::jsonb -> 'identifier'`)
    const twice = rows.filter(({ count }) => count > 1).length
    tellFigures(task, { histories: rows.length, lost: writer.identifiers.length - rows.length, twice })
    expect([rows.length, twice]).toEqual([writer.identifiers.length, 0])
  })
})
