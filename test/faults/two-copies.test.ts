import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds } from '../../packages/clock/ids.ts'
import { sql } from '../../packages/sql/sql.ts'
import { oruR01 } from '../../packages/testkit/hl7-messages.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { sum } from './bridge-place.ts'
import { countingReceiver, type CountingReceiver } from './counting-receiver.ts'
import { tellFigures } from './fault-figures.ts'
import { InsistentSender } from './insistent-sender.ts'
import { RepeatedWork } from './repeated-work.ts'
import { Person } from './platform-person.ts'
import { startTwoCopies, type TwoCopies } from './two-copies-place.ts'
import { Writer } from './platform-writer.ts'

const isLong = process.env['CORRIDOR_TEST_LONG'] === 'true'

const answer = (request: string) => `answer ${request}`

/** Where a process kills itself, in the middle of what it does; undefined is any moment, from outside. */
const moments = isLong
  ? [
      ...['framed', 'journaled', 'enriched', 'governed', 'stored', 'settled', 'acked'].map((at) => `boundary ${at}`),
      ...['request', 'answer'].flatMap((at) => [`${at} POST /oauth2/token`, `${at} POST /api/referrals/\\d+/send`]),
      ...['POST /login', 'GET /oauth2/authorize', 'POST /portal/launch', 'GET /launch', 'GET /callback'].map(answer),
      ...['GET /sign-in/callback', 'GET /dashboard', 'GET /api/certificate/qr'].map(answer),
      ...['POST /api/consent', 'POST /api/consent/\\d+/revoke', 'POST /fhir/Observation'].map(answer),
      'boundary dispatched',
    ]
  : ['boundary stored', 'answer POST /oauth2/token']

const shapes: readonly Shape[] = [
  { how: 'one process a copy', apart: false, moments },
  // Each process once.
  ...(isLong
    ? [{ how: 'one process a service', apart: true, moments: Array.from({ length: 12 }, () => undefined) }]
    : []),
]

describe.each(shapes)('two copies of every service, $moments.length kills, $how', ({ apart, moments: when }) => {
  const kills = when.length
  const senders = new Map<string, InsistentSender>()
  const labs = new Map<string, InsistentSender>()
  const works: RepeatedWork[] = []
  let receiver: CountingReceiver
  let copies: TwoCopies
  let people: Person[]
  let writer: Writer

  beforeAll(
    async () => {
      receiver = await countingReceiver()
      copies = await startTwoCopies({ apart, settings })
      writer = await Writer.open(copies)
      await writer.send('PUT', `${copies.url('fhir')}/Subscription/two-copies`, subscriptionTo(receiver.url))
      people = Array.from({ length: isLong ? 3 : 2 }, () => new Person(copies))
      beginWork()
      for (const [kill, moment] of when.entries()) {
        // In turn, so the two copies of a service never follow each other.
        const unit = copies.units[kill % copies.units.length] ?? ''
        await (moment === undefined ? copies.kill(unit) : copies.killAt(unit, moment))
        await untilEverybodyHasDoneMore()
        await copies.start(unit)
      }
      await untilEverybodyHasDoneMore()
      await Promise.all([...senders.values(), ...labs.values(), ...works].map((one) => one.stop()))
      await untilAllIsDone()
    },
    kills * 60_000 + 180_000,
  )

  afterAll(async () => {
    await copies?.[Symbol.asyncDispose]()
    await receiver?.[Symbol.asyncDispose]()
  })

  function beginWork(): void {
    for (const patient of ['T0', 'T1', 'T2']) {
      const port = () => copies.mllpPort('adt')
      senders.set(patient, new InsistentSender({ patient, port, messagesPerConnection: 7 }))
    }
    for (const patient of ['L0', 'L1']) {
      const port = () => copies.mllpPort('oru')
      labs.set(patient, new InsistentSender({ patient, port, messagesPerConnection: 5, messageOf: labResult }))
    }
    let number = 0
    works.push(
      ...people.map((person, at) => new RepeatedWork(`person ${at}`, () => person.round())),
      new RepeatedWork('conditional creates', () => writer.createOnce(number++)),
      new RepeatedWork('consents', () => writer.agreeAndRevoke(number++)),
    )
    for (const one of [...senders.values(), ...labs.values(), ...works]) one.start()
  }

  /** With one copy or with two. */
  async function untilEverybodyHasDoneMore(): Promise<void> {
    const before = works.map(({ done }) => done)
    const wanted = [sum(senders) + 10, sum(labs) + 5] as const
    const hasMore = () => works.every(({ done, faults }, at) => faults.length > 0 || done > (before[at] ?? 0))
    await waitFor(() => sum(senders) >= wanted[0] && sum(labs) >= wanted[1] && hasMore(), {
      what: 'everybody to have done more',
      deadlineMs: 60_000,
    })
  }

  async function untilAllIsDone(): Promise<void> {
    const left = async () => {
      if (!isLong) await endOldLeases()
      const { count } = await copies.database.one<{ count: string }>(sql`
        select (select count(*) from bridge.open_work) + (select count(*) from bridge.deliveries where status = 'waiting')
          + (select count(*) from kit.outbox where dead_at is null) as count`)
      return Number(count)
    }
    await waitFor(async () => (await left()) === 0, { what: 'nothing left to do', deadlineMs: 120_000, everyMs: 200 })
  }

  /** What a dead copy had in hand is taken up after a minute. The short run does not wait for the rest of it. */
  async function endOldLeases(): Promise<void> {
    await copies.database.run(sql`
      update kit.outbox set next_at = now() where lease is not null and next_at < now() + interval '52 seconds'`)
  }

  const search = async <Resource>(query: string): Promise<Resource[]> => {
    const { text } = await writer.send('GET', `${copies.url('fhir')}/${query}`)
    return ((JSON.parse(text) as { entry?: { resource: Resource }[] }).entry ?? []).map(({ resource }) => resource)
  }

  it('broke no login, and refused nothing that is allowed', ({ task }) => {
    const faults = works.flatMap((work) => work.faults)
    tellFigures(task, { kills, brokenLogins: faults.length, histories: works.reduce((all, { done }) => all + done, 0) })
    expect(faults).toEqual([])
  })

  it('had enough to lose', () => {
    expect(sum(senders)).toBeGreaterThan(kills * 20)
    expect(writer.identifiers.length).toBeGreaterThan(kills)
    expect(people.reduce((total, { refreshes }) => total + refreshes, 0)).toBeGreaterThan(kills * 3)
  })

  it('lost no message, applied none twice, and kept the order of each patient', async ({ task }) => {
    const found = await Promise.all([...senders.keys()].map(namesOf))
    const wanted = [...senders.values()].map(({ acknowledged }) => acknowledged)
    const lost = found.map((names, at) => Math.max(0, (wanted[at] ?? 0) - new Set(names).size))
    const twice = found.map((names) => names.length - new Set(names).size)
    tellFigures(task, { histories: sum(senders), lost: total(lost), twice: total(twice) })
    expect(found).toEqual(wanted.map((count) => Array.from({ length: count }, (_, at) => `N${at + 1}`)))
  })

  it('stored each result once, and delivered it under one key', async ({ task }) => {
    const stored = await Promise.all(
      [...labs.keys()].map((patient) => countOf(`Observation?patient.identifier=${patient}`)),
    )
    const wanted = [...labs.values()].map(({ acknowledged }) => acknowledged)
    const delivered = receiver.taken.size
    const lost = total(wanted) - Math.min(total(stored), delivered)
    tellFigures(task, { histories: sum(labs), lost, twice: total(stored) - total(wanted) })
    expect([stored, delivered]).toEqual([wanted, total(wanted)])
    // What a dying copy had just sent, and no answer was heard of, leaves once more under the same key.
    expect([...receiver.taken.values()].filter((times) => times > 1).length).toBeLessThanOrEqual(kills)
  })

  it('has each message in the log as done, once', async () => {
    const doubled = await copies.database.many(sql`
      select control_id, count(*)::int as count from bridge.all_transactions where status <> 'DUPLICATE'
      group by control_id having count(*) > 1 or min(status) <> 'SUCCESS' or max(status) <> 'SUCCESS'`)
    expect(doubled).toEqual([])
  })

  it('wrote once what two wrote at the same time at two copies', async ({ task }) => {
    const rows = await copies.database.many<{ count: number }>(sql`
      select count(*)::int as count from fhir.versions
      where type = 'Observation' and content like '%urn:written-once%' group by content::jsonb -> 'identifier'`)
    const twice = rows.filter(({ count }) => count > 1).length
    tellFigures(task, { histories: rows.length, lost: writer.identifiers.length - rows.length, twice })
    expect([rows.length, twice]).toEqual([writer.identifiers.length, 0])
  })

  it('sent each referral once, and projected it once', async ({ task }) => {
    const ids = people.flatMap(({ referrals }) => referrals)
    const rows = await copies.database.many<{ sends: number; tasks: number }>(sql`
      select (select count(*)::int from referral.events e where e.referral_id = r.id and e.action = 'send') as sends,
        (select count(*)::int from referral.tasks t where t.referral_id = r.id) as tasks
      from referral.referrals r where r.id = any(${ids}::bigint[]) and r.status = 'ACTIVE'`)
    const twice = rows.filter(({ sends, tasks }) => sends > 1 || tasks > 1).length
    tellFigures(task, { histories: ids.length, lost: ids.length - rows.length, twice })
    expect([rows.length, twice]).toEqual([ids.length, 0])
    const projected = await copies.database.many<{ id: string; count: number }>(sql`
      select content::jsonb #>> '{identifier,0,value}' as id, count(distinct id)::int as count
      from fhir.versions where type = 'ServiceRequest' and content like '%/api/referrals%' group by 1`)
    const counts = new Map(projected.map(({ id, count }) => [id, count]))
    expect(ids.filter((id) => counts.get(String(id)) !== 1)).toEqual([])
  })

  /** Oldest first. */
  async function namesOf(patient: string): Promise<(string | undefined)[]> {
    const [known] = await search<{ id: string }>(`Patient?identifier=${patient}`)
    const versions = await copies.database.many<{ name: string }>(sql`
      select content::jsonb #>> '{name,0,given,0}' as name from fhir.versions
      where type = 'Patient' and id = ${known?.id ?? ''} order by version`)
    return versions.map(({ name }) => name)
  }

  async function countOf(query: string): Promise<number> {
    const { text } = await writer.send('GET', `${copies.url('fhir')}/${query}&_summary=count`)
    return (JSON.parse(text) as { total: number }).total
  }
})

const total = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

interface Shape {
  readonly how: string
  readonly apart: boolean
  readonly moments: readonly (string | undefined)[]
}

// Below 120 seconds the app refreshes: so it does so all the time.
const settings = { 'auth.accessTokenSeconds': '122' }

const labResult = (patient: string, controlId: string) =>
  oruR01({ controlId, patientId: patient, orderNumber: controlId }, { clock: systemClock, ids: systemIds })

const subscriptionTo = (endpoint: string) => ({
  ...{ resourceType: 'Subscription', id: 'two-copies', status: 'requested', reason: 'to count' },
  criteria: 'Observation?code=http://loinc.org|718-7',
  channel: { type: 'rest-hook', endpoint, payload: 'application/fhir+json' },
})
