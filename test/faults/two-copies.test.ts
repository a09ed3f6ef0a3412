import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds } from '../../packages/clock/ids.ts'
import { sql } from '../../packages/sql/sql.ts'
import { oruR01 } from '../../packages/testkit/hl7-messages.ts'
import { casesOf, isLongRun } from '../../packages/testkit/extent.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { Crowd } from './crowd/crowd.ts'
import { countingReceiver, type CountingReceiver } from './crowd/counting-receiver.ts'
import { endOldLeases } from './places/end-old-leases.ts'
import { tellFigures } from './findings/fault-figures.ts'
import { loggedMessages } from './findings/logged-messages.ts'
import { numbered, Senders } from './crowd/senders.ts'
import { Person } from './crowd/person.ts'
import { Writer } from './crowd/writer.ts'
import { RepeatedWork } from './crowd/repeated-work.ts'
import { historiesOf, writtenOnce } from './findings/stored-histories.ts'
import { settings, shapes } from './places/two-copies-shapes.ts'
import { startTwoCopies, type TwoCopies } from './places/two-copies-place.ts'

describe.each(shapes)('two copies of every service, $moments.length kills, $how', ({ apart, moments: when }) => {
  const kills = when.length
  const senders = new Senders(numbered('T', 3), () => ({
    port: () => copies.mllpPort('adt'),
    messagesPerConnection: 7,
  }))
  const labs = new Senders(numbered('L', 2), () => ({
    port: () => copies.mllpPort('oru'),
    messagesPerConnection: 5,
    messageOf: labResult,
  }))
  let receiver: CountingReceiver
  let copies: TwoCopies
  let people: Person[]
  let writer: Writer
  let crowd: Crowd

  beforeAll(
    async () => {
      receiver = await countingReceiver()
      copies = await startTwoCopies({ apart, settings })
      writer = await Writer.open(copies)
      await writer.send('PUT', `${copies.url('fhir')}/Subscription/two-copies`, subscriptionTo(receiver.url))
      people = Array.from({ length: casesOf({ daily: 2, long: 3 }) }, () => new Person(copies))
      crowd = gather()
      crowd.start()
      for (const [kill, moment] of when.entries()) {
        // In turn, so the two copies of a service never follow each other.
        const unit = copies.units[kill % copies.units.length] ?? ''
        await (moment === undefined ? copies.kill(unit) : copies.killAt(unit, moment))
        await crowd.untilAllHaveDoneMore()
        await copies.start(unit)
      }
      await crowd.untilAllHaveDoneMore()
      await crowd.stop()
      await untilAllIsDone()
    },
    kills * 60_000 + 600_000,
  )

  afterAll(async () => {
    await copies?.[Symbol.asyncDispose]()
    await receiver?.[Symbol.asyncDispose]()
  })

  function gather(): Crowd {
    let number = 0
    return new Crowd({
      senders: [
        { of: senders, more: 10 },
        { of: labs, more: 5 },
      ],
      works: [
        ...people.map((person, at) => new RepeatedWork(`person ${at}`, () => person.round())),
        new RepeatedWork('conditional creates', () => writer.createOnce(number++)),
        new RepeatedWork('consents', () => writer.agreeAndRevoke(number++)),
      ],
    })
  }

  async function untilAllIsDone(): Promise<void> {
    const left = async () => {
      if (!isLongRun) await endOldLeases(copies.database)
      const { count } = await copies.database.one<{ count: string }>(sql`
        select (select count(*) from bridge.open_work) + (select count(*) from bridge.deliveries where status = 'waiting')
          + (select count(*) from kit.outbox where dead_at is null) as count`)
      return Number(count)
    }
    // A minute until what a dead copy had in hand is taken up, and then all that waits behind it.
    const deadlineMs = casesOf({ daily: 120_000, long: 400_000 })
    await waitFor(async () => (await left()) === 0, { what: 'nothing left to do', deadlineMs, everyMs: 200 })
  }

  it('broke no login, and refused nothing that is allowed', ({ task }) => {
    const { faults, rounds } = crowd
    const again = total(people.map(({ begunAgain, codesAgain }) => begunAgain + codesAgain))
    const seen = `${again} steps of logins were begun again, none with a password`
    tellFigures(task, { kills, brokenLogins: faults.length, histories: rounds, seen })
    expect(faults).toEqual([])
  })

  it('had enough to lose', () => {
    expect(senders.acknowledged).toBeGreaterThan(kills * 10)
    expect(writer.identifiers.length).toBeGreaterThan(kills)
    expect(people.reduce((total, { refreshes }) => total + refreshes, 0)).toBeGreaterThan(kills * 3)
  })

  it('lost no message, applied none twice, and kept the order of each patient', async ({ task }) => {
    const { found, wanted, figures } = await historiesOf(senders, copies.database)
    tellFigures(task, figures)
    expect(found).toEqual(wanted)
  })

  it('stored each result once, and delivered it under one key', async ({ task }) => {
    const stored = await Promise.all(
      labs.patients.map((patient) => countOf(`Observation?patient.identifier=${patient}`)),
    )
    const wanted = labs.each.map(({ acknowledged }) => acknowledged)
    const delivered = receiver.taken.size
    const lost = total(wanted) - Math.min(total(stored), delivered)
    tellFigures(task, { histories: labs.acknowledged, lost, twice: total(stored) - total(wanted) })
    expect([stored, delivered]).toEqual([wanted, total(wanted)])
    // What a dying copy had just sent, one of each patient, and no answer was heard of, leaves once more under its key.
    const repeated = [...receiver.taken.values()].filter((times) => times > 1)
    expect(repeated.length).toBeLessThanOrEqual(kills * labs.patients.length)
  })

  it('has each message in the log as done, once', async () => {
    expect(await loggedMessages(copies.database)).toEqual({
      count: senders.acknowledged + labs.acknowledged,
      notDoneOnce: [],
    })
  })

  it('wrote once what two wrote at the same time at two copies', async ({ task }) => {
    const { count, twice } = await writtenOnce(copies.database)
    tellFigures(task, { histories: count, lost: writer.identifiers.length - count, twice })
    expect([count, twice]).toEqual([writer.identifiers.length, 0])
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

  async function countOf(query: string): Promise<number> {
    const { text } = await writer.send('GET', `${copies.url('fhir')}/${query}&_summary=count`)
    return (JSON.parse(text) as { total: number }).total
  }
})

const total = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)

const labResult = (patient: string, controlId: string) =>
  oruR01({ controlId, patientId: patient, orderNumber: controlId }, { clock: systemClock, ids: systemIds })

const subscriptionTo = (endpoint: string) => ({
  ...{ resourceType: 'Subscription', id: 'two-copies', status: 'requested', reason: 'to count' },
  criteria: 'Observation?code=http://loinc.org|718-7',
  channel: { type: 'rest-hook', endpoint, payload: 'application/fhir+json' },
})
