import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../packages/clock/clock.ts'
import { systemIds } from '../../packages/clock/ids.ts'
import type { AuditEvent, Bundle } from '../../packages/fhir/r4.ts'
import { silentLog } from '../../packages/log/log.ts'
import { openDatabase } from '../../packages/sql/database.ts'
import { sql } from '../../packages/sql/sql.ts'
import { adtA01, oruR01 } from '../../packages/testkit/hl7-messages.ts'
import { openHl7Sender } from '../../packages/testkit/hl7-sender.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import { lastReset } from '../../services/bridge/store/breaker-resets.ts'
import { AppVisitor } from '../../services/immunization/testing/app-visitor.ts'

const messageDeps = { clock: systemClock, ids: systemIds }
const family = 'Canaryson'

let corridor: TestCorridor
let authorization: string
beforeAll(async () => {
  corridor = await testCorridor()
  authorization = await corridor.bearerFor({ scope: 'system/*.read system/*.write', subject: 'svc-operator' })
})
afterAll(() => corridor[Symbol.asyncDispose]())

const call = async <Answer>(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer> => {
  const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
  const sent = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  return (await (await fetch(`${corridor.url('bridge')}${path}`, sent)).json()) as Answer
}

async function send(channel: 'adt' | 'oru', message: string): Promise<void> {
  await using his = await openHl7Sender({
    host: '127.0.0.1',
    port: corridor.configuration.bridge.channels[channel].port,
  })
  await his.send(message)
}

/** The id of a message that its header refuses: it can be run again, and is refused again. */
async function refusedMessage(controlId: string): Promise<string> {
  const message = adtA01({ controlId, familyName: family, patientId: '881001' }, messageDeps)
  await send('adt', message.replace('ADT^A01^ADT_A01', 'ADT^Z99'))
  const { content } = await call<{ content: { transactionId: string }[] }>(
    'GET',
    `/api/transactions?controlId=${controlId}`,
  )
  return content[0]?.transactionId ?? ''
}

/** What was done, as the FHIR store has it: by whom, with what, how it went. */
async function eventsOf(subject: string) {
  const headers = { authorization: await corridor.bearerFor({ role: 'SYSTEM', scope: 'system/*.read' }) }
  const activity = 'type=http://dicom.nema.org/resources/ontology/DCM|110100&_count=200'
  const answer = await fetch(`${corridor.url('fhir')}/AuditEvent?${activity}`, { headers })
  const { entry = [] } = (await answer.json()) as Bundle<AuditEvent>
  // Their ids begin with the time.
  const idOf = ({ meta }: AuditEvent) => meta?.tag?.[0]?.code ?? ''
  const events = entry
    .flatMap(({ resource }) => resource ?? [])
    .sort((one, other) => (idOf(one) < idOf(other) ? -1 : 1))
  expect(JSON.stringify(events)).not.toContain(family)
  return events
    .filter(({ agent }) => agent[0]?.who?.identifier?.value === subject)
    .map(({ subtype, outcome, outcomeDesc, entity = [] }) => {
      const [to] = entity.length > 1 ? entity : []
      const details = (entity.at(-1)?.detail ?? []).map(({ type, valueString }) => `${type}=${valueString}`)
      return [subtype?.[0]?.code, to?.what?.identifier?.value ?? '', outcome, outcomeDesc ?? '', details.join(' ')]
    })
}

it('each action of a program is an AuditEvent and an ATNA record: who, what, with what, and how it went', async () => {
  const id = await refusedMessage('OPERATOR-1')
  await send('oru', oruR01({ results: [{ code: 'LOCAL-1', name: 'Local', codeSystem: 'L', value: '1' }] }, messageDeps))
  const codes = await call<{ content: { id: string; code: string }[] }>('GET', '/api/unmapped-codes')
  const code = codes.content.find((one) => one.code === 'LOCAL-1')?.id ?? ''
  const delivery = systemIds.uuid()
  await call('POST', `/api/transactions/${id}/retry`)
  await call('POST', '/api/transactions/none%01such/retry')
  await call('POST', '/api/transactions/retry-batch?facilityCode=CENTRAL')
  await call('POST', '/api/channels/siu/pause')
  await call('POST', '/api/channels/siu/resume')
  await call('POST', '/api/circuit-breaker/reset')
  await call('POST', `/api/unmapped-codes/${code}/map`, { code: 'no such form' })
  await call('POST', `/api/unmapped-codes/${code}/map`, { code: '718-7' })
  await call('POST', `/api/deliveries/${delivery}/resend`)
  await call('POST', '/api/subscriptions/sub-17-provider-directory/deliveries/resend')
  await waitFor(async () => (await eventsOf('svc-operator')).length >= 10, { what: 'ten events', deadlineMs: 30_000 })
  expect(await eventsOf('svc-operator')).toEqual([
    ['retry', id, '0', '', ''],
    ['retry', 'none\ufffdsuch', '4', 'unknown', ''],
    ['retry-batch', '', '0', '', 'facilityCode=CENTRAL matched=1 accepted=1'],
    ['pause-channel', 'siu', '0', '', ''],
    ['resume-channel', 'siu', '0', '', ''],
    ['reset-circuit-breakers', '', '0', '', 'drained=0'],
    ['map-code', code, '4', 'incorrect', ''],
    ['map-code', code, '0', '', 'mappedCode=718-7 rerun=1 following=0'],
    ['resend-delivery', delivery, '4', 'missing', ''],
    ['resend-deliveries', 'sub-17-provider-directory', '0', '', 'matched=0 accepted=0 superseded=0'],
  ])
  const database = await openDatabase({ url: corridor.databaseUrl, poolMax: 1, log: silentLog })
  onTestFinished(() => database.close())
  const kept = () =>
    database.many<{ did: string }>(sql`
      select event_type as did from bridge.audit_records
      where event_id = '110100' and source_user = 'svc-operator'`)
  await waitFor(async () => (await kept()).length >= 10, { what: 'ten records', deadlineMs: 30_000 })
  expect((await kept()).map(({ did }) => did)).toContain('pause-channel')
})

it('and so is each of somebody at the console', async () => {
  const id = await refusedMessage('OPERATOR-2')
  const visitor = new AppVisitor(corridor)
  await visitor.signIn('admin')
  const console = `${corridor.url('bridge')}/console`
  expect((await visitor.follow(await visitor.get(console))).status).toBe(200)
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const press = async (path: string, fields: Readonly<Record<string, string>> = {}) => {
    const headers = { cookie, accept: 'text/html', 'sec-fetch-site': 'same-origin' }
    const form = { method: 'POST', body: new URLSearchParams(fields), headers, redirect: 'manual' } as const
    const answer = await fetch(`${console}${path}`, form)
    return answer.headers.get('location') ?? ''
  }
  await press(`/messages/${id}/retry`)
  await press('/channels/mfn/pause', { from: 'list' })
  await press('/channels/mfn/resume', { from: 'one' })
  await press('/breakers/reset')
  const run = (await press('/dead-letters/retry', { errorCode: 'NONE', facilityCode: '' })).split('/').at(-1) ?? ''
  await press(`/dead-letters/runs/${run}/stop`)
  const search = { search: 'status=DEAD&to=2020-01-01' }
  const found = (await press('/dead-letters/retry', search)).split('/').at(-1) ?? ''
  await press('/dead-letters/retry', { search: 'status=SUCCESS' })
  await press('/subscriptions/sub-17-provider-directory/deliveries/resend')
  const pair = systemIds.uuid()
  await press(`/review/${pair}/confirm`)
  const admin = await whoResetLast()
  await waitFor(async () => (await eventsOf(admin)).length >= 10, { what: 'ten events', deadlineMs: 30_000 })
  expect(await eventsOf(admin)).toEqual([
    ['retry', id, '0', '', ''],
    ['pause-channel', 'mfn', '0', '', ''],
    ['resume-channel', 'mfn', '0', '', ''],
    ['reset-circuit-breakers', '', '0', '', 'drained=0'],
    ['start-retry-run', '', '0', '', `errorCode=NONE run=${run}`],
    ['stop-retry-run', run, '0', '', ''],
    ['start-retry-run', '', '0', '', `search=true run=${found}`],
    ['start-retry-run', '', '4', 'incorrect', ''],
    ['resend-deliveries', 'sub-17-provider-directory', '0', '', 'matched=0 accepted=0 superseded=0'],
    ['confirm-review', pair, '4', 'missing', ''],
  ])
})

/** The subject of the demo's administrator. */
async function whoResetLast(): Promise<string> {
  const database = await openDatabase({ url: corridor.databaseUrl, poolMax: 1, log: silentLog })
  onTestFinished(() => database.close())
  return (await lastReset(database))?.by ?? ''
}
