import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseMessage } from '../../packages/hl7/index.ts'
import { demoToken } from '../../packages/testkit/demo-token.ts'
import { openHl7Sender } from '../../packages/testkit/hl7-sender.ts'
import { testCorridor, type TestCorridor } from '../../packages/testkit/test-corridor.ts'
import { waitFor } from '../../packages/testkit/wait-for.ts'
import type { ChannelId } from '../../services/bridge/pipeline/channel.ts'

/** Messages go in by MLLP; FHIR comes out over HTTP. Everything in between is the real thing. */

interface Transaction {
  readonly transactionId: string
  readonly status: string
  readonly [name: string]: unknown
}

interface StoredPatient {
  readonly name: { readonly family: string; readonly given: readonly string[] }[]
  readonly birthDate: string
  readonly identifier: {
    readonly system: string
    readonly value: string
    readonly type?: { coding: { code: string }[] }
  }[]
}

interface Page {
  readonly content: readonly Transaction[]
  readonly totalElements: number
}

let corridor: TestCorridor
let authorization: string
beforeAll(async () => {
  corridor = await testCorridor()
  authorization = `Bearer ${await demoToken(corridor.url('auth'))}`
})
afterAll(() => corridor[Symbol.asyncDispose]())

const header = (type: string, controlId: string, facility = 'CENTRAL', at = '20261115100000+0000') =>
  `MSH|^~\\&|HIS|${facility}|HUB|CORRIDOR|${at}||${type}|${controlId}|P|2.5.1`
const person = (number: string, name = 'OBI^ADA', more = '') =>
  `PID|1||${number}^^^CENTRAL^MR||${name}||19800101|F${more}`
const message = (...segments: readonly string[]) => Buffer.from(segments.join('\r'))

async function send(channel: ChannelId, bytes: Buffer) {
  const { port } = corridor.configuration.bridge.channels[channel]
  await using sender = await openHl7Sender({ host: '127.0.0.1', port })
  const { raw } = await sender.send(bytes)
  return parseMessage(raw)
}

async function call<T>(
  service: 'bridge' | 'fhir' | 'consent',
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const answer = await fetch(`${corridor.url(service)}${path}`, {
    method,
    headers: {
      authorization,
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return (text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : text) as T
}

const transaction = async (controlId: string): Promise<Transaction> => {
  const { content } = await call<Page>('bridge', 'GET', `/api/transactions?controlId=${controlId}`)
  return content[0] ?? { transactionId: '', status: 'none' }
}

describe('the eight channels', () => {
  it.each<[ChannelId, string, readonly string[], string]>([
    [
      'adt',
      'ADT^A01^ADT_A01',
      ['EVN|A01|20261115100000', person('C1'), 'PV1|1|I|W^1^A||||||||||||||||V1'],
      'Encounter',
    ],
    [
      'oru',
      'ORU^R01^ORU_R01',
      [
        person('C1'),
        'OBR|1|P1|F1|718-7^Hb^LN|||20261115|||||||||||||||20261115||LAB|F',
        'OBX|1|NM|718-7^Hb^LN||6.1|g/dL|12-16|LL|||F',
      ],
      'DiagnosticReport',
    ],
    [
      'oru',
      'VXU^V04^VXU_V04',
      [person('C1'), 'ORC|RE||I1', 'RXA|0|1|20261101||08^Hep B^CVX|1|mL|||||||LOT1||MSD||||CP'],
      'Immunization',
    ],
    ['orm', 'OML^O21^OML_O21', [person('C1'), 'ORC|NW|P2', 'OBR|1|P2||24323-8^CMP^LN'], 'ServiceRequest'],
    [
      'mdm',
      'MDM^T02^MDM_T02',
      [
        'EVN|T02|20261115',
        person('C1'),
        'PV1|1|I',
        'TXA|1|DS|TX|20261115||||||||D1||||||LA|||AV',
        'OBX|1|TX|x||All is well.||||||F',
      ],
      'DocumentReference',
    ],
    [
      'rde',
      'RDE^O11^RDE_O11',
      [person('C1'), 'ORC|NW|R1', 'RXE|^^^20261115|1234^Amoxicillin 500 mg^L|1||TAB'],
      'MedicationRequest',
    ],
    [
      'siu',
      'SIU^S12^SIU_S12',
      [
        'SCH|A1|A1||||CHECKUP|Check up|||30|MIN|^^30^202611200900^202611200930',
        person('C1'),
        'RGS|1',
        'AIP|1||77^DOC^ANY',
      ],
      'Appointment',
    ],
    [
      'mfn',
      'MFN^M02^MFN_M02',
      ['MFI|PRA||UPD|||AL', 'MFE|MAD|1|20261115|77^DOC^ANY', 'STF|77|77^^^CENTRAL|DOC^ANY|MD'],
      'Practitioner',
    ],
  ])('%s takes %s and stores what it says', async (channel, type, segments, main) => {
    const controlId = `CH-${channel}-${main}`
    const answer = await send(channel, message(header(type, controlId), ...segments))
    expect([answer.get('MSA-1'), answer.get('MSA-2'), answer.getText('ERR-8')]).toEqual(['AA', controlId, undefined])
    const stored = await transaction(controlId)
    expect(stored).toMatchObject({ status: 'SUCCESS', ackCode: 'AA', facilityCode: 'CENTRAL', channelId: channel })
    expect(stored['fhirResourceId']).toMatch(new RegExp(`^${main}/`))
    expect(await call('fhir', 'GET', `/${String(stored['fhirResourceId'])}`)).toMatchObject({ resourceType: main })
  })

  it('go on naming somebody of whom the staff file tells as before', async () => {
    const again = [person('C1'), 'RGS|1', 'AIP|1||77^DOC^ANY']
    const segments = ['SCH|A2|A2||||CHECKUP|Check up|||30|MIN|^^30^202611210900^202611210930', ...again]
    const answer = await send('siu', message(header('SIU^S12^SIU_S12', 'CH-siu-again'), ...segments))
    expect([answer.get('MSA-1'), answer.getText('ERR-8')]).toEqual(['AA', undefined])
    const { entry = [] } = await call<{ entry?: unknown[] }>('fhir', 'GET', '/Practitioner?identifier=77')
    expect(entry).toHaveLength(1)
  })

  it('find the same patient again, whoever sends', async () => {
    const { entry = [] } = await call<{ entry?: unknown[] }>(
      'fhir',
      'GET',
      `/Patient?identifier=${encodeURIComponent('C1')}`,
    )
    expect(entry.length).toBe(1)
  })

  it('answers a master file record by record', async () => {
    const answer = await send(
      'mfn',
      message(
        header('MFN^M02^MFN_M02', 'MFK-1'),
        'MFI|PRA||UPD|||AL',
        'MFE|MAD|1|20261115|78^NEW^ANY',
        'STF|78|78^^^CENTRAL|NEW^ANY',
      ),
    )
    expect(answer.get('MSH-9.1')).toBe('MFK')
    expect(answer.get('MFA-4')).toBe('S')
  })
})

describe('a query', () => {
  const query = (controlId: string, what: string, trigger = 'Q22') =>
    message(header(`QBP^${trigger}^QBP_Q21`, controlId), `QPD|IHE PDQ Query|T1|${what}`, 'RCP|I|10^RD')

  beforeAll(async () => {
    await send('adt', message(header('ADT^A28^ADT_A05', 'Q-0'), 'EVN|A28|20261115', person('Q1', 'QUERIED^QUINN')))
  })

  it('finds a patient by name', async () => {
    const answer = await send('qbp', query('Q-1', '@PID.5.1^QUERIED'))
    expect([answer.get('MSH-9.1'), answer.get('MSA-1'), answer.get('QAK-2')]).toEqual(['RSP', 'AA', 'OK'])
    expect(answer.get('PID-3')).toBe('Q1')
    expect(await transaction('Q-1')).toMatchObject({
      status: 'SUCCESS',
      fhirResourceId: expect.stringMatching(/^Patient\//),
    })
  })

  it('says when there is nobody', async () => {
    const answer = await send('qbp', query('Q-2', '@PID.5.1^NOBODYATALL'))
    expect([answer.get('MSA-1'), answer.get('QAK-2')]).toEqual(['AA', 'NF'])
  })

  it('shows nobody who has opted out', async () => {
    const answer = await send('qbp', query('Q-3', '@PID.5.1^Mensah~@PID.5.2^Kofi'))
    expect(answer.get('MSA-1')).toBe('AR')
    expect(answer.text).not.toMatch(/PID\|/)
    expect(await transaction('Q-3')).toMatchObject({ status: 'ERROR', errorCode: 'CONSENT_DENIED', stage: 'GOVERN' })
  })
})

describe('consent', () => {
  it('of a patient who has opted out stops a message, whichever facility sends it', async () => {
    const before = await call<StoredPatient>('fhir', 'GET', '/Patient/kofi-mensah')
    const { family, given } = before.name[0] ?? { family: '', given: [] }
    const national = before.identifier.find(({ type }) => type?.coding[0]?.code === 'NI')
    // Another hospital, with a number of its own: only who the person is tells that it is the same one.
    const pid = `PID|1||L-77^^^LAKESIDE^MR~${national?.value}^^^&${national?.system}&URI^NI||${family}^${given[0]}||${before.birthDate.replaceAll('-', '')}|M`
    const admission = [header('ADT^A08^ADT_A01', 'CO-1', 'LAKESIDE'), 'EVN|A08|20261115', pid, 'PV1|1|O']
    expect((await send('adt', message(...admission))).get('MSA-1')).toBe('AR')
    expect(await transaction('CO-1')).toMatchObject({ errorCode: 'CONSENT_DENIED', stage: 'GOVERN', resources: [] })
    expect(await call('fhir', 'GET', '/Patient/kofi-mensah')).toEqual(before)
    expect(await call('fhir', 'GET', '/Patient?identifier=L-77')).toMatchObject({ total: 0 })
  })

  it('that is revoked stops the next message, and nothing of it is stored', async () => {
    const admission = (controlId: string, name: string) =>
      message(header('ADT^A08^ADT_A01', controlId), 'EVN|A08|20261115', person('R1', name), 'PV1|1|O')
    expect((await send('adt', admission('CO-2', 'BEFORE^ANY'))).get('MSA-1')).toBe('AA')
    const patient = String((await transaction('CO-2'))['patient'])
    await call('consent', 'POST', '/api/consent', {
      patientId: patient,
      provisionType: 'deny',
      scopeContext: 'patient',
    })
    const answer = await send('adt', admission('CO-3', 'AFTER^ANY'))
    expect([answer.get('MSA-1'), answer.get('ERR-5.1')]).toEqual(['AR', 'CONSENT_DENIED'])
    expect(JSON.stringify(await call('fhir', 'GET', `/${patient}`))).not.toContain('AFTER')
  })
})

describe('an operator', () => {
  it('sees the bytes, the resources and the answer of a message', async () => {
    const sent = message(header('ADT^A08^ADT_A01', 'OP-1'), 'EVN|A08|20261115', person('O1'), 'PV1|1|O')
    const answer = await send('adt', sent)
    const { transactionId } = await transaction('OP-1')
    const path = `/api/transactions/${transactionId}`
    expect(await call('bridge', 'GET', `${path}/raw`)).toBe(sent.toString())
    expect(await call('bridge', 'GET', `${path}/ack`)).toBe(answer.text)
    const bundle = await call<{ entry: { resource: { resourceType: string } }[] }>('bridge', 'GET', `${path}/fhir`)
    expect(bundle.entry.map(({ resource }) => resource.resourceType)).toContain('Patient')
  })

  it('finds a message by what it says', async () => {
    await send(
      'adt',
      message(header('ADT^A08^ADT_A01', 'OP-2'), 'EVN|A08|20261115', person('O2', 'FINDABLE^TEXT'), 'PV1|1|O'),
    )
    const { content } = await call<Page>('bridge', 'GET', '/api/transactions?q=FINDABLE')
    expect(content.map(({ controlId }) => controlId)).toEqual(['OP-2'])
    const byPatient = await call<Page>('bridge', 'GET', '/api/transactions?patientId=O2')
    expect(byPatient.content.map(({ controlId }) => controlId)).toEqual(['OP-2'])
  })

  it('retries what failed when its cause is gone', async () => {
    const failing = message(header('ADT^A08^ADT_A01', 'OP-3'), 'EVN|A08|20261115', person('O3'), 'PV1|1|O')
    const admission = message(header('ADT^A08^ADT_A01', 'OP-3a'), 'EVN|A08|20261115', person('O3'), 'PV1|1|O')
    await send('adt', admission)
    const patientId = String((await transaction('OP-3a'))['patient'])
    const { id } = await call<{ id: number }>('consent', 'POST', '/api/consent', {
      ...{ patientId, provisionType: 'deny', scopeContext: 'patient' },
    })
    expect((await send('adt', failing)).get('MSA-1')).toBe('AR')
    const { transactionId } = await transaction('OP-3')
    await call('consent', 'POST', `/api/consent/${id}/revoke`)
    expect(await call('bridge', 'POST', `/api/transactions/${transactionId}/retry`)).toMatchObject({ transactionId })
    await waitFor(async () => (await transaction('OP-3')).status === 'SUCCESS', { what: 'the retried message' })
    expect(await call('bridge', 'POST', `/api/transactions/${transactionId}/retry`)).toMatchObject({
      ...{ status: 409, code: 'NOT_FAILED' },
    })
  })

  it('says what a code means, and the messages that hold it are run again', async () => {
    const result = message(
      header('ORU^R01^ORU_R01', 'UN-1'),
      person('U1'),
      'OBR|1|P9|F9|HB9^Haemoglobin^L|||20261115|||||||||||||||20261115||LAB|F',
      'OBX|1|NM|HB9^Haemoglobin^L||13.1|g/dL|||||F',
    )
    expect((await send('oru', result)).get('MSA-1')).toBe('AA')
    const { content } = await call<{ content: { id: string; code: string; uses: number }[] }>(
      'bridge',
      'GET',
      '/api/unmapped-codes',
    )
    const item = content.find(({ code }) => code === 'HB9')
    expect(item).toMatchObject({ code: 'HB9', target: 'http://loinc.org' })
    const mapped = await call<{ rerun: number }>('bridge', 'POST', `/api/unmapped-codes/${item?.id}/map`, {
      code: '718-7',
    })
    expect(mapped).toMatchObject({ rerun: 1, item: { mappedCode: '718-7' } })
    await waitFor(
      async () => {
        const found = await call<{ total: number }>(
          'fhir',
          'GET',
          '/Observation?code=http://loinc.org|718-7&patient.identifier=U1&_summary=count',
        )
        return found.total === 1
      },
      { what: 'the translated code' },
    )
  })

  it.each([
    ['application/json', '{"facilityCode":"NOBODY"}', 400, 'filters stand in the address'],
    ['application/x-www-form-urlencoded', 'facilityCode=NOBODY', 400, 'filters stand in the address'],
    ['application/json', '{}', 202, '"matched":0'],
    [undefined, '', 202, '"matched":0'],
  ])('a batch of retries with the body (%s) %j is answered with %i', async (type, body, status, says) => {
    // In a body that is not read a filter would narrow nothing, and every failed message would run again.
    const path = status === 202 ? '?facilityCode=NOBODY' : ''
    // Also by a client that begins to send before it knows how much there is.
    for (const sent of [{ body }, { body: new Blob([body]).stream(), duplex: 'half' as const }]) {
      const answer = await fetch(`${corridor.url('bridge')}/api/transactions/retry-batch${path}`, {
        ...{ method: 'POST', ...sent },
        headers: { authorization, ...(type && { 'content-type': type }) },
      })
      expect([answer.status, await answer.text()]).toEqual([status, expect.stringContaining(says)])
    }
  })

  it.each([
    ['GET', '/api/transactions?from=2026-12-01&to=2026-01-01', 400],
    ['GET', '/api/transactions?from=yesterday', 400],
    ['GET', '/api/transactions?size=0', 400],
    ['GET', '/api/transactions?status=LOST', 400],
    ['GET', '/api/transactions/none', 404],
    ['POST', '/api/transactions/none/retry', 404],
    ['POST', '/api/transactions/retry-batch?status=SUCCESS', 400],
    ['POST', '/api/transactions/retry-batch?facilty=CENTRAL', 400],
    ['POST', '/api/transactions/retry-batch?from=2026-12-01&to=2026-01-01', 400],
    ['POST', '/api/transactions/retry-batch?channelId=xyz', 400],
    ['GET', '/api/channels/xyz', 404],
  ])('%s %s is answered with %i', async (method, path, status) => {
    expect(await call('bridge', method, path)).toMatchObject({ status, code: expect.stringMatching(/^[A-Z_]+$/) })
  })
})
