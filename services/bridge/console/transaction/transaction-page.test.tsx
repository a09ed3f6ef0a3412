import { describe, expect, it } from 'vitest'
import { renderFragment, renderPage } from '../../../../packages/views/render.ts'
import { makeZone, parseMessage } from '../../../../packages/hl7/index.ts'
import type { Delivery } from '../../outbound/delivery.ts'
import { testChannel } from '../../testing/test-channels.ts'
import type { TransactionRow } from '../../store/transactions.ts'
import { attack, frameModel, isText } from '../testing/transaction-frame.ts'
import { transactionRow as row } from '../testing/transaction-row.ts'
import { mapAgain } from './transaction-mapping.ts'
import { OutcomeNow } from './transaction-outcome.tsx'
import { TransactionPage, type TransactionModel } from './transaction-page.tsx'

const at = new Date('2026-03-04T10:15:00Z')

const deps = {
  base: 'https://corridor.example',
  facilities: {
    find: async () =>
      new Map([
        [
          'CENTRAL',
          {
            code: 'CENTRAL',
            name: 'Central',
            organization: 'Organization/central',
            namespaces: new Map(),
            timeZone: 'UTC',
          },
        ],
      ]),
  },
  terminology: { codingsIn: async (needs: readonly unknown[]) => needs.map(() => 'unmapped' as const) },
  channelOf: () => testChannel('adt', { zone: makeZone('UTC') }),
}

const header = 'MSH|^~\\&|HIS|CENTRAL|HUB|CORRIDOR|20260304101500+0000||ADT^A01^ADT_A01|C1|P|2.5.1'
const admission = [header, 'EVN|A01|20260304', 'PID|1||4711^^^CENTRAL^MR||DOE^JANE||19800115|F', 'PV1|1|I'].join('\r')

const retold = (text: string) => mapAgain(Buffer.from(text), row(), deps)

function shown(changes: Partial<TransactionModel> = {}): string {
  const model: TransactionModel = {
    ...frameModel,
    ...{ row: row(), retold: undefined, rawText: undefined, ack: undefined, cameAgainAs: undefined },
    ...{ attempts: [], deliveries: [] },
    ...changes,
  }
  return renderPage(<TransactionPage model={model} />)
}

const delivery = (resource: string, status: Delivery['status']): Delivery => ({
  ...{ id: resource, subscriptionId: 'sub-06', transactionId: 't1', patient: null, resource, versionId: '1' },
  ...{ channel: 'rest-hook', endpoint: 'http://localhost/', payload: '', status, attempts: 1, createdAt: at },
  ...{ nextAttemptAt: null, settledAt: at, lastError: null, answered: '200', resentAt: null, resentBy: null },
})

describe('the page of a message', () => {
  it('puts the fields and what they became side by side', async () => {
    const html = shown({ retold: await retold(admission) })
    expect(html).toContain('What it became')
    expect(html).toMatch(/data-place="2-8"[^]*PID-8[^]*Administrative Sex/)
    expect(html).toMatch(/data-from="2-8"[^]*gender[^]*female/)
    expect(html).toContain('version 2')
    expect(html).not.toContain('>Retry<')
  })

  it('names the address that it came from, and no answer of one that has ended without', () => {
    expect(shown({ row: row({ ack_code: null }) })).toMatch(/Address<.*192\.0\.2\.7.*Answer<[^]*>None</s)
    const atWork = row({ ack_code: null, status: 'PROCESSING', completed_at: null })
    expect(shown({ row: atWork })).toContain('None yet')
    const nobody = row({ sending_application: '', sending_facility: '', facility_code: null })
    expect(shown({ row: nobody })).not.toContain('>Sender<')
  })

  it('shows what did not arrive before what did, and says of many how many there are', () => {
    const deliveries = Array.from({ length: 60 }, (_none, index) => delivery(`Observation/${index}`, 'delivered'))
    const html = shown({ deliveries: [...deliveries, delivery('Observation/late', 'dead')] })
    expect(html).toContain('40 of 61 deliveries')
    expect(html.indexOf('Observation/late')).toBeLessThan(html.indexOf('Observation/0<'))
    expect(html).not.toContain('Observation/59')
    expect(shown({ deliveries })).toContain('40 of 60 deliveries')
    expect(shown({ deliveries: deliveries.slice(0, 40) })).toContain('>Deliveries<')
  })

  it('shows how one began that was too large, not what that would become, and offers no retry', async () => {
    const tooLarge = row({ status: 'ERROR', error_code: 'MESSAGE_TOO_LARGE', resources: [] })
    const html = shown({ row: tooLarge, retold: await retold(admission), rawText: admission })
    expect(html).toContain('How it began')
    expect(html).toContain('4711^^^CENTRAL^MR')
    expect(html).not.toContain('What it would become')
    expect(html).not.toContain('>Retry<')
  })

  it.each<[string, Partial<TransactionRow>, string]>([
    [
      'failed',
      { status: 'ERROR', error_code: 'CONSENT_DENIED', error_message: 'No.' },
      'No consent lets this facility write.',
    ],
    ['incomplete', { status: 'ERROR', error_code: 'REQUIRED_FIELD_MISSING' }, 'leaves out what every message needs.'],
    [
      'a query that failed',
      { status: 'ERROR', error_code: 'CONSENT_DENIED', error_message: 'No.', channel_id: 'qbp', resources: [] },
      'No consent lets this facility read.',
    ],
    ['wrote nothing', { resources: [] }, 'Nobody was told: this message wrote nothing.'],
    ['asked for numbers', { status: 'ERROR', error_code: 'NO_NUMBERS_HERE' }, 'none are given out here'],
    ['was too large', { status: 'ERROR', error_code: 'MESSAGE_TOO_LARGE' }, 'only its beginning was kept'],
    ['failed for a reason that is new', { status: 'ERROR', error_code: 'NEWLY_MADE' }, 'It could not be taken.'],
    ['waits', { status: 'QUEUED', error_code: 'STORE_UNAVAILABLE' }, 'tried again by itself'],
    ['is at work', { status: 'PROCESSING' }, 'at work right now'],
    ['was sent before', { status: 'DUPLICATE', parent_transaction_id: 'first' }, 'The first one'],
    ['is older than what is stored', { is_stale: true }, 'held something newer'],
    ['uses a control id twice', { content_mismatch: true }, 'already used for different content'],
  ])('of one that %s says so', (_what, changes, words) => {
    expect(shown({ row: row(changes) })).toContain(words)
  })

  it.each<[string, Partial<TransactionRow>, says: string, isOver: boolean]>([
    ['the store was away too long', { status: 'ERROR', error_code: 'STORE_UNAVAILABLE' }, 'then retry', true],
    ['consent was away', { status: 'ERROR', error_code: 'CONSENT_UNAVAILABLE' }, 'then retry', true],
    ['it took too long', { status: 'ERROR', error_code: 'TIMEOUT' }, 'It took too long.', true],
    ['it never came to an end', { status: 'ERROR', error_code: 'POISON' }, 'report it', true],
    ['nobody knows what is wrong', { status: 'ERROR', error_code: 'NEWLY_MADE' }, 'retry', true],
    ['consent is away', { status: 'QUEUED', error_code: 'CONSENT_UNAVAILABLE' }, 'The consent service', false],
    ['the store is away', { status: 'QUEUED', error_code: 'STORE_UNAVAILABLE' }, 'The FHIR store', false],
    ['it takes too long', { status: 'QUEUED', error_code: 'TIMEOUT' }, 'too long', false],
    ['another comes first', { status: 'QUEUED', error_code: 'WAITS_FOR_PATIENT' }, 'An older message', false],
  ])('where %s says whether somebody has to retry it', (_why, changes, words, isOver) => {
    const html = shown({ row: row(changes) })
    expect(html).toContain(words)
    expect(html.includes('by itself')).toBe(!isOver)
    expect(!isOver && /retry/i.test(html)).toBe(false)
  })

  it('says that it waited for its turn, and not that a circuit was open', () => {
    const run = { attempt: 1, run: 1, ended_at: at, status: 'QUEUED', stage: 'RECEIVE', stage_ms: {}, asked_by: null }
    const attempt = { ...run, was_called: false, error_message: 'Not yet.' }
    const waited = { ...attempt, error_code: 'WAITS_FOR_PATIENT' }
    expect(shown({ attempts: [waited] })).not.toContain('circuit')
    expect(shown({ attempts: [{ ...attempt, error_code: 'STORE_UNAVAILABLE' }] })).toContain('the circuit was open')
  })

  it('of bytes that are no message says that, and not the type and the id of nothing', () => {
    const html = shown({ row: row({ message_type: '', control_id: '', facility_code: null, sending_facility: '' }) })
    expect(html).toContain('<h1>Unreadable message</h1>')
    expect(html).not.toContain('Control id')
  })

  it.each([
    [{ 'shared-number': 1 }, 'Look at both'],
    [{ 'other-service': 1 }, 'have the sender number each'],
    [{ 'unmapped-code': 2 }, 'has no counterpart and is stored as it came'],
    [{ 'bad-date': 1, 'not-kept': 1 }, 'is missing from the record'],
    [{ 'character-set': 1 }, 'was guessed: look at the names'],
    [{ 'consent-unanswered': 1 }, 'See whether the patient agrees.'],
  ])('of one that went through with %j does not say that all is well', (warnings, words) => {
    const html = shown({ row: row({ warnings }) })
    expect(html).toContain('class="alert warning"')
    expect(html).toContain(words)
    expect(html).not.toContain('Nothing is to be done.')
    expect(html.includes('<a href="/console/codes">Say what it means</a>')).toBe('unmapped-code' in warnings)
  })

  it('names the fields in which something was noticed, as long as the message is there', async () => {
    const wrong = await retold(admission.replace('19800115', '1980-99-99'))
    const html = shown({ row: row({ warnings: { 'bad-date': 1 } }), retold: wrong })
    expect(html).toMatch(/Where in the message.*<code>PID-7<\/code>/s)
  })

  it('finds nothing wrong with segments that nothing is made of', () => {
    const html = shown({ row: row({ warnings: { 'kept-segment': 3 } }) })
    expect(html).toContain('class="alert good"')
    expect(html).toContain('Nothing is to be done.')
  })

  it.each<[TransactionRow['status'], boolean]>([
    ['PROCESSING', true],
    ['QUEUED', true],
    ['SUCCESS', false],
    ['ERROR', false],
    ['DUPLICATE', false],
  ])('of one that is %s is renewed by itself: %s', (status, isMoving) => {
    const html = shown({ row: row({ id: 'a/b', status }) })
    expect(html.includes('data-refresh="/console/messages/a%2Fb/now"')).toBe(isMoving)
    const now = renderFragment(<OutcomeNow row={row({ id: 'a/b', status })} addresses={frameModel.addresses} />)
    expect(now.includes('data-refresh-over')).toBe(!isMoving)
    expect(now.includes('<a href="/console/messages/a%2Fb">Show all of it</a>')).toBe(!isMoving)
  })

  it('offers a retry only of what failed and can be run again', async () => {
    const failed = row({ status: 'ERROR', error_code: 'CONSENT_DENIED' })
    expect(shown({ row: failed, retold: await retold(admission) })).toContain('>Retry<')
    expect(shown({ row: failed })).toContain('past their retention')
    expect(shown({ row: failed })).not.toContain('>Retry<')
    const [duplicate, other] = [false, true].map((content_mismatch) => row({ status: 'DUPLICATE', content_mismatch }))
    expect(shown({ row: duplicate ?? failed, retold: await retold(admission) })).not.toContain('>Retry<')
    expect(shown({ row: other ?? duplicate ?? row(), retold: await retold(admission) })).toContain('>Retry<')
  })

  it('leads to the message that came again after it had failed', () => {
    const html = shown({ row: row({ status: 'ERROR' }), cameAgainAs: 'a/b' })
    expect(html).toMatch(/Came again<\/dt>[^]*<a href="\/console\/messages\/a%2Fb">Open it/)
  })

  it('says which consent stopped it, what stood against it, and where to look', () => {
    const refusal = {
      ...{ patientId: 'p1', actor: 'Organization/central', resourceType: 'Encounter', operation: 'UPDATE' },
      reason: 'provision type permit – ok; status inactive – failed; not permitted; consent record 7 came closest',
      consentRecordId: 7,
    }
    const denied = row({ status: 'ERROR', error_code: 'CONSENT_DENIED' })
    const html = shown({ row: denied, refusal, addresses: { consent: 'http://consent' } })
    expect(html).toContain('not permitted; consent record 7 came closest.')
    expect(html).toContain('What stood against it: status inactive.')
    expect(html).toContain('The patient does not let this facility write.')
    expect(html).toContain('href="http://consent/consents/7"')
    expect(html).toContain('href="http://consent/patients/p1"')
    const none = { ...refusal, consentRecordId: null, actor: attack, resourceType: attack, reason: attack }
    const other = shown({ row: denied, refusal: none, addresses: {} })
    expect(isText(other)).toBe(true)
    expect(other).not.toContain('/consents/')
    expect(other).toContain('No consent lets this facility write.')
    expect(other).toContain('the policy of a facility that is new here')
  })

  it('shows bytes that are no message as they came', async () => {
    expect(shown({ retold: await retold(attack), rawText: attack })).toContain('&lt;script>alert(1)')
  })

  it('says that a message is refused before it becomes FHIR', async () => {
    expect(shown({ retold: await retold(header) })).toContain('It is refused before it is turned into FHIR')
  })

  it('asks nobody about a message that was refused at the door, and does without a registry that is away', async () => {
    const asked: string[] = []
    const find = async (codes: readonly string[]) => {
      asked.push(...codes)
      throw new Error('The registry is away.')
    }
    const atTheDoor = row({ status: 'ERROR', stage: 'RECEIVE' })
    const away = { ...deps, facilities: { find } }
    expect(await mapAgain(Buffer.from(admission), atTheDoor, away)).toMatchObject({ mapped: undefined })
    expect(asked).toEqual([])
    expect(await mapAgain(Buffer.from(admission), row(), away)).toMatchObject({ mapped: undefined })
    expect(asked).toEqual(['CENTRAL'])
  })

  it('shows the link to the golden record, and that it comes from no field', async () => {
    const { mapped, trace } = await mapAgain(Buffer.from(admission), row({ golden_patient_id: 'golden-1' }), deps)
    expect(JSON.stringify(mapped?.writes)).toContain('Patient/golden-1')
    expect(trace.size).toBeGreaterThan(0)
    expect([...trace.values()].flat().filter((element) => element.includes('link'))).toEqual([])
  })

  it('shows no link where a record is only amended: none was written', async () => {
    const deleted = admission.replace('ADT^A01^ADT_A01', 'ADT^A29^ADT_A21').replace('EVN|A01', 'EVN|A29')
    const { mapped } = await mapAgain(Buffer.from(deleted), row({ golden_patient_id: 'golden-1' }), deps)
    expect(mapped?.writes[0]).toMatchObject({ mode: 'amend', resource: { resourceType: 'Patient' } })
    expect(JSON.stringify(mapped?.writes)).not.toContain('golden-1')
  })

  it('shows everything that came from outside as text', async () => {
    const words = { message_type: attack, control_id: attack, sending_application: attack, sending_facility: attack }
    const more = { facility_code: attack, patient: attack, error_code: attack, error_message: attack, ack_code: attack }
    const message = `${admission.replace('DOE', attack).replace('C1', attack)}\rZ<b|${attack}\rZZZ|${attack}`
    const told = { ...(await retold(message)), message: parseMessage(Buffer.from(message)) }
    const html = shown({
      row: row({ ...words, ...more, status: 'ERROR', parent_transaction_id: attack, warnings: { [attack]: 1 } }),
      retold: told,
      ack: attack,
      attempts: [
        {
          ...{ attempt: 1, run: 1, ended_at: at, status: attack, stage: attack, stage_ms: {}, was_called: true },
          ...{ error_code: attack, error_message: attack, asked_by: attack },
        },
      ],
    })
    expect(isText(html)).toBe(true)
    expect(html).not.toContain('<b|')
  })

  it('stays small for a message of thousands of results', async () => {
    const results = Array.from(
      { length: 3_000 },
      (_, line) => `AL1|${line + 1}|DA|PENICILLIN^Penicillin^L|SV|Rash ${line}`,
    )
    const html = shown({ retold: await retold([admission, ...results].join('\r')) })
    expect(html).toContain('more segments, which are not shown here')
    expect(html.length).toBeLessThan(80_000)
  })

  it.each([
    ['a field', 'ZZZ', '|a'],
    ['a name', 'PID|1||4711^^^CENTRAL^MR||DOE^JANE', '~DOE^JANE'],
  ])('stays small for one segment that repeats %s without end', async (_what, segment, more) => {
    const html = shown({ retold: await retold(`${header}\r${segment}${more.repeat(20_000)}`) })
    expect(html).toContain('which are not shown here')
    expect(html.length).toBeLessThan(150_000)
  })
})
