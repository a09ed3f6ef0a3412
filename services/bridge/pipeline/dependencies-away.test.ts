import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import { bug, unauthenticated, unavailable } from '../../../packages/faults/fault.ts'
import { NeverConnected } from '../../../packages/http/outbound/exchange.ts'
import { parseMessage, zoneNamed } from '../../../packages/hl7/index.ts'
import { silentLog } from '../../../packages/log/log.ts'
import { Metrics } from '../../../packages/metrics/metrics.ts'
import { Breakers } from '../breakers/breakers.ts'
import { circuitOpenCode } from '../breakers/circuit-breaker.ts'
import { knowsDomain } from '../query/known-domains.ts'
import { testChannel } from '../testing/test-channels.ts'
import { answerTo } from './7-ack.ts'
import { channelIds, type ChannelId } from './channel.ts'
import { runStages, type StageDeps } from './run-stages.ts'
import type { Stage } from './stage.ts'

const pid = 'PID|1||4711^^^CENTRAL^MR||RAMGOOLAM^Amina||19800115|F'
const unmappedCode = 'K^Kalium^LOCAL'

/** A message of each channel, with a code that has to be looked up where its kind has any. */
const messages: Readonly<Record<ChannelId, readonly [type: string, ...segments: string[]]>> = {
  adt: ['ADT^A01', pid, 'PV1|1|I', 'DG1|1||J18.9^Pneumonia^I10'],
  oru: ['ORU^R01', pid, 'OBR|1|P1|F1|58410-2^CBC^LN|||20260304', `OBX|1|NM|${unmappedCode}||4|mmol/L|||||F`],
  orm: ['ORM^O01', pid, 'ORC|NW|P1^HIS', `OBR|1|P1^HIS||${unmappedCode}`],
  mdm: ['MDM^T02', pid, 'TXA|1|DS|TX|20260304||||||||D-1', `OBX|1|TX|${unmappedCode}||A text||||||F`],
  qbp: ['QBP^Q22', 'QPD|Q22^Find Candidates^HL70471|T1|@PID.3.1^4711', 'RCP|I'],
  rde: ['RDE^O11', pid, 'ORC|NW|P-1^CPOE', 'RXE|1^BID^D7^20260304|1234^Digoxin^L|0.125||mg'],
  siu: ['SIU^S12', 'SCH|PA-1|FA-1|||||CHECK^Check-up^L|NORMAL|30|MIN|^^30^20260310090000^20260310093000', pid, 'RGS|1'],
  mfn: ['MFN^M02', 'MFI|STF||UPD|||SU', 'MFE|MAD|R1||2005', 'STF|2005||New^Nurse'],
}

const ways = {
  'is away': () => Promise.reject(unavailable('away')),
  'is broken': () => Promise.reject(bug('broken')),
  'takes us for a stranger': () => Promise.reject(unauthenticated('who are you?')),
  'answers what nobody can read': () => Promise.reject(new TypeError('not iterable')),
} as const

type Away = 'facilities' | 'index' | 'terminology'

/** Everything well but one, and a store that notes whatever would be written. */
function depsWithout(away: Away, fails: () => Promise<never>, written: string[]): StageDeps {
  const facility = { code: 'CENTRAL', organization: 'Organization/central', name: 'Central', namespaces: new Map() }
  const well = {
    facilities: { find: async () => new Map([['CENTRAL', facility]]) },
    index: { recognise: async (patients: readonly unknown[]) => patients.map(() => undefined) },
    terminology: { codingsIn: async (needs: readonly unknown[]) => needs.map(() => 'unmapped' as const) },
  }
  const reading = new Set(['findByIdentifiers', 'search', 'capabilities'])
  const store = new Proxy(
    {},
    {
      get: (_, name) => async (asked: unknown) => {
        if (!reading.has(String(name))) written.push(String(name))
        return Array.isArray(asked) ? asked.map(() => []) : { entry: [] }
      },
    },
  )
  const failing = new Proxy({}, { get: () => fails })
  // Sound: the stages ask nothing else of these before they write, and writing is what must not happen.
  return {
    ...{ ...well, [away]: failing, store, isOwnStore: true, base: 'https://corridor.example', zoneOf: zoneNamed },
    ...{ consent: { evaluate: async () => ({ is: 'answered', permitted: true }) }, terminologyRequired: true },
    consentRule: { enabled: false, failClosed: true, refusedAck: 'AR' },
    breakers: { call: (_: string, work: () => Promise<unknown>) => work() },
    ...{ log: silentLog, clock: systemClock, ids: systemIds, passBoundary: () => {} },
  } as unknown as StageDeps
}

const codes: Readonly<Record<Away, string>> = {
  facilities: 'FACILITY_REGISTRY_UNAVAILABLE',
  index: 'PATIENT_INDEX_UNAVAILABLE',
  terminology: 'TERMINOLOGY_UNAVAILABLE',
}

/** Of whom each channel needs something: a query and a master file link nobody, and not every message has codes. */
const needs: Readonly<Record<Away, readonly ChannelId[]>> = {
  facilities: channelIds,
  index: ['adt', 'oru', 'orm', 'mdm', 'rde', 'siu'],
  terminology: ['adt', 'oru', 'orm'],
}

function receivedBy(id: ChannelId, [type, ...segments] = messages[id]): Parameters<typeof runStages>[0] {
  const text = [`MSH|^~\\&|HIS|CENTRAL|HUB|CORRIDOR|20260304||${type}|D7|P|2.5.1`, ...segments].join('\r')
  return {
    ...{ transactionId: 't', channel: testChannel(id), message: parseMessage(`${text}\r`), receivedAt: new Date() },
    ...{ attempt: 1, run: 1, wasRefused: false, wasEnded: false, checkHeld: () => {} },
    signal: new AbortController().signal,
  }
}

describe.each(Object.entries(needs) as [Away, readonly ChannelId[]][])('without %s', (away, channels) => {
  it.each(Object.entries(ways))('that %s a message is to come later, and nothing is written', async (_, fails) => {
    for (const id of channels) {
      const written: string[] = []
      const outcome = await runStages(receivedBy(id), depsWithout(away, fails, written))
      expect([id, outcome]).toMatchObject([id, { status: 'ERROR', code: 'AE', errorCode: codes[away] }])
      expect(written).toEqual([])
    }
  })
})

it('a message says which stage it goes into, also into the one that it does not leave', async () => {
  const entered: Stage[] = []
  const received = { ...receivedBy('oru'), enters: (stage: Stage) => void entered.push(stage) }
  const fails = () => Promise.reject(unavailable('away'))
  await runStages(received, depsWithout('terminology', fails, []))
  expect(entered).toEqual(['ENRICH', 'TRANSFORM'])
})

it('a message that cannot be looked at before its first stage is answered all the same', async () => {
  const flags = {
    get: () => {
      throw new RangeError('too much')
    },
  }
  const { message, ...others } = receivedBy('adt')
  // Sound: it is the message, with one thing about it that goes wrong.
  const broken = Object.create(message, { flags }) as typeof message
  const outcome = await runStages({ ...others, message: broken }, depsWithout('index', ways['is away'], []))
  expect(outcome).toMatchObject({ status: 'ERROR', code: 'AE', errorCode: 'INTERNAL', stage: 'RECEIVE' })
})

const refused = new NeverConnected(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }))

describe('whoever tries again for a sender that was told AA', () => {
  const states = {
    'that somebody was called': { thrown: unavailable('away'), later: { wasCalled: true } },
    'that nobody was, and when it makes sense to': {
      thrown: unavailable('away', { code: circuitOpenCode, retryAfterSeconds: 30 }),
      later: { wasCalled: false, retryAfterMs: 30_000 },
    },
    'that nobody could be': { thrown: unavailable('away', { cause: refused }), later: { wasCalled: false } },
  }
  it.each(Object.entries(states))('knows %s', async (_, { thrown, later: known }) => {
    const later = { ...known, errorMessage: expect.stringMatching(/gave no answer\. away\.$/) as string }
    for (const away of ['facilities', 'index', 'terminology'] as const) {
      const outcome = await runStages(
        receivedBy('oru'),
        depsWithout(away, () => Promise.reject(thrown), []),
      )
      expect([away, outcome]).toEqual([away, expect.objectContaining({ errorCode: codes[away], later })])
    }
  })
})

describe('without the store, which is the index too', () => {
  const states = {
    'is away': { thrown: unavailable('away'), wasCalled: true },
    'is known to be away': { thrown: unavailable('away', { code: circuitOpenCode }), wasCalled: false },
    'cannot be reached': { thrown: unavailable('away', { cause: refused }), wasCalled: false },
  }
  it.each(Object.entries(states))('that %s a message waits in the retry queue', async (_, { thrown, wasCalled }) => {
    for (const id of needs.index) {
      const fails = () => Promise.reject(thrown)
      const deps = { ...depsWithout('index', fails, []), store: new Proxy({}, { get: () => fails }) } as StageDeps
      const outcome = await runStages(receivedBy(id), deps)
      expect([id, outcome]).toMatchObject([id, { status: 'QUEUED', errorCode: 'STORE_UNAVAILABLE', wasCalled }])
    }
  })
})

describe('without the store, of which the circuit is open,', () => {
  const person = '4711^^^CENTRAL^MR'
  const queries = [
    { query: 'QBP^Q21^QBP_Q21', asks: person, answer: 'RSP^K21^RSP_K21' },
    { query: 'QBP^Q22^QBP_Q21', asks: '@PID.3.1^4711', answer: 'RSP^K22^RSP_K21' },
    { query: 'QBP^Q23^QBP_Q21', asks: person, answer: 'RSP^K23^RSP_K23' },
    { query: 'QBP^Q24^QBP_Q21', asks: '^^^ELSEWHERE', answer: 'RSP^K24^RSP_K23' },
  ]
  it.each(queries)('$query is answered at once: $answer, to be asked again later', async ({ query, asks, answer }) => {
    const breakers = new Breakers({ clock: systemClock, metrics: new Metrics() })
    const away = () => Promise.reject(unavailable('away'))
    for (let failures = 0; failures < 5; failures++) await breakers.call('fhir-server', away).catch(() => {})
    const others = depsWithout('index', away, [])
    const deps = { ...others, breakers, knowsDomain: knowsDomain({ ...others, breakers }) }
    const received = receivedBy('qbp', [query, `QPD|Q^Query^HL70471|T1|${asks}`, 'RCP|I'])
    const outcome = await runStages(received, deps)
    expect(outcome).toMatchObject({ status: 'ERROR', code: 'AE', errorCode: 'QUERY_UNAVAILABLE' })
    const reply = parseMessage(answerTo(received.message, outcome, deps))
    expect([reply.segment('MSH')?.rawField(9), reply.get('MSA-1'), reply.get('QAK-2')]).toEqual([answer, 'AE', 'AE'])
    expect(breakers.entryOf('fhir-server')).toEqual({ state: 'OPEN', failureCount: 0, successCount: 0 })
  })
})

describe('with a store that is back before anything is written', () => {
  it.each(needs.index)('a message of %s waits: nobody was asked whose record it is about', async (id) => {
    const written: string[] = []
    const questions: unknown[] = []
    const others = depsWithout('index', () => Promise.reject(unavailable('away')), written)
    let isBack = false
    const store = new Proxy(others.store, {
      get: (well, name, receiver) => {
        if (isBack) return Reflect.get(well, name, receiver)
        isBack = true
        return () => Promise.reject(unavailable('away'))
      },
    })
    const deps = {
      ...{ ...others, store, index: { recognise: async (asked: readonly unknown[]) => asked.map(() => undefined) } },
      consentRule: { enabled: true, failClosed: true, refusedAck: 'AR' },
      consent: { evaluate: async (asked: unknown) => (questions.push(asked), { is: 'answered', permitted: false }) },
      // Sound: as above.
    } as unknown as StageDeps
    expect(await runStages(receivedBy(id), deps)).toMatchObject({ status: 'QUEUED', errorCode: 'STORE_UNAVAILABLE' })
    expect([written, questions]).toEqual([[], []])
  })
})

describe('without the consent service', () => {
  const silent = { consent: { evaluate: async () => ({ is: 'unanswered', fault: unavailable('away') }) } }
  const told = { terminology: { codingsIn: async (needed: readonly unknown[]) => needed.map(() => 'unmapped') } }

  it('a message that goes on because no answer is insisted on says so', async () => {
    const consentRule = { enabled: true, failClosed: false, refusedAck: 'AR' }
    const others = depsWithout('terminology', () => Promise.reject(unavailable('away')), [])
    // Sound: as above, and the one who was away has come back.
    const deps = { ...others, ...told, ...silent, consentRule } as unknown as StageDeps
    const { warnings } = await runStages(receivedBy('adt'), deps)
    expect(warnings['consent-unanswered']).toBeGreaterThan(0)
  })
})
