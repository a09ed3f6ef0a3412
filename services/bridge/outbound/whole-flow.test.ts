import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { openDatabase, type Database } from '../../../packages/sql/database.ts'
import { sql } from '../../../packages/sql/sql.ts'
import { adtA01, hl7Text, oruR01 } from '../../../packages/testkit/hl7-messages.ts'
import { openHl7Sender } from '../../../packages/testkit/hl7-sender.ts'
import { testCorridor, type TestCorridor } from '../../../packages/testkit/test-corridor.ts'
import { waitFor } from '../../../packages/testkit/wait-for.ts'
import { verifyAuditRecords } from '../audit/store/audit-records.ts'
import { openAlerts } from '../coordination/testing/open-alerts.ts'
import { sinkDeliveries } from './testing/sink-deliveries.ts'

const deps = { clock: systemClock, ids: systemIds }

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** Everything in one process, as the demo runs it: from a sender's socket to the receivers' sockets. */
describe('a whole Corridor', () => {
  let corridor: TestCorridor
  let database: Database
  beforeAll(async () => {
    corridor = await testCorridor({ services: ['auth', 'fhir', 'consent', 'bridge'] })
    database = await openDatabase({ url: corridor.databaseUrl, poolMax: 2, log: silentLog })
  })
  afterAll(async () => {
    await database.close()
    await corridor[Symbol.asyncDispose]()
  })

  const sender = (channel: 'adt' | 'oru' | 'qbp') =>
    openHl7Sender({ host: '127.0.0.1', port: corridor.configuration.bridge.channels[channel].port })

  it('delivers what an admission and a critical result lead to, and audits each message once', async () => {
    await using his = await sender('adt')
    await using lab = await sender('oru')
    const admission = adtA01({ controlId: 'W-1' }, deps)
    expect(await his.send(admission)).toMatchObject({ ackCode: 'AA' })
    expect(await his.send(admission)).toMatchObject({ ackCode: 'AA' })
    expect(await his.send(oruR01({ controlId: 'W-2' }, deps))).toMatchObject({ ackCode: 'AR' })
    expect(await his.send('this is no message')).toMatchObject({ ackCode: 'AR' })
    const potassium = { code: '2823-3', name: 'Potassium', value: '6.9', unit: 'mmol/L', flag: 'HH' }
    const result = oruR01({ controlId: 'W-3', results: [potassium] }, deps)
    expect(await lab.send(result)).toMatchObject({ ackCode: 'AA' })

    const outcomes = async () =>
      (
        await database.many<{ line: string }>(sql`
          select distinct subscription_id || ' ' || channel || ' ' || status || ' ' || coalesce(answered, '') as line
            from bridge.deliveries order by 1`)
      ).map(({ line }) => line)
    const expected = [
      'sub-01-patient-upsert rest-hook delivered 200',
      'sub-03-inpatient-admit message delivered AA',
      'sub-06-critical-result sms delivered 200',
      'sub-08-report-final message delivered AA',
    ]
    const arrived = async () => {
      const lines = await outcomes()
      return expected.every((line) => lines.includes(line)) && (await openAlerts(database)).length > 0
    }
    await waitFor(arrived, { what: 'the deliveries to arrive', deadlineMs: 20_000 })
    const kept = async () => {
      const targets = new Set((await sinkDeliveries(database)).map(({ target }) => target))
      return ['ADT^A01', 'ORU^R01', '/sms'].every((target) => targets.has(target))
    }
    await waitFor(kept, { what: 'what the receivers took' })

    expect(await openAlerts(database)).toHaveLength(1)

    const messages = 5
    const audited = async () => (await verifyAuditRecords(database)).records === messages
    await waitFor(audited, { what: 'the audit records', deadlineMs: 20_000 })
    expect(await verifyAuditRecords(database)).toEqual({ is: 'whole', records: messages })
    const events = async () =>
      (
        await database.one<{ count: number }>(sql`
          select count(*)::int as count from fhir.versions
           where type = 'AuditEvent' and content like '%urn:corridor:audit-id%'
             and content not like '%account changed%'`)
      ).count
    await waitFor(async () => (await events()) === messages, { what: 'the AuditEvents', deadlineMs: 20_000 })
  })

  it('audits everybody whom an answer tells of, and both records of a merge', async () => {
    await using his = await sender('adt')
    await using portal = await sender('qbp')
    for (const patientId of ['Q-1', 'Q-2', 'Q-3']) {
      const person = { patientId, familyName: 'Quaye', givenName: patientId }
      const admission = adtA01({ controlId: `W-${patientId}`, ...person }, deps)
      expect(await his.send(admission)).toMatchObject({ ackCode: 'AA' })
    }
    const header = (type: string, controlId: string) =>
      `MSH|^~\\&|HIS|CENTRAL|CORRIDOR|HIE|20260304050607+0000||${type}|${controlId}|P|2.5.1`
    const qpd = 'QPD|IHE PDQ Query^^IHE|T1|@PID.5.1^'
    const asked = hl7Text([header('QBP^Q22^QBP_Q21', 'W-ASK'), `${qpd}Quaye`, 'RCP|I|2^RD'])
    expect(await portal.send(asked)).toMatchObject({ ackCode: 'AA' })
    const pid = (number: string) => `${number}^^^CENTRAL^MR`
    const merge = [header('ADT^A40^ADT_A39', 'W-MERGE'), 'EVN|A40|20260304', `PID|1||${pid('Q-1')}||Quaye^Ama`]
    expect(await his.send(hl7Text([...merge, `MRG|${pid('Q-2')}`]))).toMatchObject({ ackCode: 'AA' })
    const recordOf = async (controlId: string) => {
      const [row] = await database.many<{ record: string }>(sql`
        select record from bridge.audit_records where record like ${`%"MSH-10" value="${base64(controlId)}"%`}`)
      return row?.record ?? ''
    }
    await waitFor(async () => (await recordOf('W-MERGE')) !== '', { what: 'the audit records', deadlineMs: 20_000 })
    expect(await recordOf('W-ASK')).toContain(`<ParticipantObjectQuery>${base64(`${qpd}***`)}<`)
    expect((await recordOf('W-ASK')).match(/ParticipantObjectTypeCode="1"/g)).toHaveLength(2)
    expect((await recordOf('W-MERGE')).match(/ParticipantObjectTypeCode="1"/g)).toHaveLength(2)
  })
})
