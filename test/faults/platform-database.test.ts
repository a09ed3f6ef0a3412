import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serviceNames } from '../../apps/corridor/service-names.ts'
import { sql } from '../../packages/sql/sql.ts'
import { casesOf } from '../../packages/testkit/extent.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { Crowd } from './crowd/crowd.ts'
import { tellFigures } from './findings/fault-figures.ts'
import { numbered, Senders } from './crowd/senders.ts'
import { readinessOf } from './crowd/platform-calls.ts'
import { platformPlace, type PlatformPlace } from './places/platform-place.ts'
import { Person } from './crowd/person.ts'
import { Writer } from './crowd/writer.ts'
import { RepeatedWork } from './crowd/repeated-work.ts'
import { historiesOf, writtenOnce } from './findings/stored-histories.ts'

const restarts = casesOf({ daily: 2, long: 20 })
/** To ask six services all the time would keep the process busy that is to come back. */
const nowAndThen = { deadlineMs: 30_000, everyMs: 50 }

describe(`a PostgreSQL that is restarted ${restarts} times under load`, () => {
  let place: PlatformPlace
  let writer: Writer
  let crowd: Crowd
  let senders: Senders
  /** What whoever watches the authorization server with a token was told meanwhile. */
  const answers: unknown[] = []

  beforeAll(
    async () => {
      place = await platformPlace({
        // As long as may be: who refreshes while the database is away asks again when it is back, on a busy machine late.
        settings: { 'auth.refreshReuseLeewaySeconds': '60', 'bridge.breaker.openMs': '500' },
      })
      const { corridor } = place
      writer = await Writer.open(corridor)
      const person = new Person(corridor)
      let number = 0
      senders = new Senders(numbered('D', 3), () => ({ port: () => corridor.configuration.bridge.channels.adt.port }))
      crowd = new Crowd({
        senders: [{ of: senders, more: 10 }],
        works: [
          new RepeatedWork('a person', () => person.round()),
          new RepeatedWork('conditional creates', () => writer.createOnce(number++)),
          new RepeatedWork('consents', () => writer.agreeAndRevoke(number++)),
        ],
      })
      crowd.start()
      for (let turn = 0; turn < restarts; turn++) {
        await crowd.untilAllHaveDoneMore()
        await (turn % 2 === 0 ? place.stopPostgres() : place.killPostgres())
        await waitFor(everywhere(503), { what: 'every service to be not ready', ...nowAndThen })
        answers.push(await watched('health'), await watched('prometheus'))
        await place.startPostgres()
        await waitFor(everywhere(200), { what: 'every service to be ready again', ...nowAndThen })
      }
      await crowd.untilAllHaveDoneMore()
      await crowd.stop()
      const open = () => place.database.many(sql`select 1 from bridge.open_work`)
      await waitFor(async () => (await open()).length === 0, { what: 'nothing parked', deadlineMs: 120_000 })
    },
    restarts * 90_000 + 120_000,
  )

  afterAll(() => place?.[Symbol.asyncDispose]())

  const everywhere = (wanted: number) => async () =>
    (await Promise.all(serviceNames.map((name) => readinessOf(place.corridor, name)))).every((one) => one === wanted)

  async function watched(path: 'health' | 'prometheus') {
    const headers = { authorization: await place.corridor.bearerFor({ roles: ['ADMIN'] }) }
    const answer = await fetch(`${place.corridor.url('auth')}/actuator/${path}`, { headers })
    return [answer.status, path === 'health' ? await answer.json() : 'metrics']
  }

  it('is seen by whoever watches: health and metrics answer, and the log says why', () => {
    const once = [
      [503, { status: 'DOWN' }],
      [200, 'metrics'],
    ]
    expect(answers).toEqual(Array.from({ length: restarts }, () => once).flat())
    const events = ['not ready', 'ready again'].map((name) =>
      place.corridor.log
        .events(name)
        .filter(({ service, dependency }) => service === 'auth' && dependency === 'database'),
    )
    // At least: a probe of a busy machine may come too late once more.
    for (const { length } of events) expect(length).toBeGreaterThanOrEqual(restarts)
    expect(events[0]?.every(({ error = '' }) => error !== '')).toBe(true)
  })

  it('breaks nothing for anybody who asks again', ({ task }) => {
    const { faults, rounds } = crowd
    tellFigures(task, { kills: restarts, brokenLogins: faults.length, histories: rounds })
    expect(faults).toEqual([])
  })

  it('loses no message, applies none twice, and keeps the order of each patient', async ({ task }) => {
    const { found, wanted, figures } = await historiesOf(senders, place.database)
    tellFigures(task, figures)
    expect(found).toEqual(wanted)
  })

  it('writes once what two wrote at the same time', async ({ task }) => {
    const { count, twice } = await writtenOnce(place.database)
    tellFigures(task, { histories: count, lost: writer.identifiers.length - count, twice })
    expect([count, twice]).toEqual([writer.identifiers.length, 0])
  })
})
