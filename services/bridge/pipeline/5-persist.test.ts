import { beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { makeZone, parseMessage } from '../../../packages/hl7/index.ts'
import type { Patient } from '../../../packages/fhir/r4.ts'
import { Metrics } from '../../../packages/metrics/metrics.ts'
import { Breakers } from '../breakers/breakers.ts'
import { linkedByIndex } from '../mapping/golden-link.ts'
import { mapMessage } from '../mapping/map-message.ts'
import type { Mapped } from '../mapping/mapped.ts'
import type { Person } from '../mapping/person.ts'
import { findStored } from '../persist/find-stored.ts'
import { memoryFhirStore, type MemoryFhirStore } from '../testing/memory-fhir-store.ts'
import { testChannel } from '../testing/test-channels.ts'
import { persist, type PersistDeps, type ToPersist } from './5-persist.ts'
import type { Received } from './received.ts'
import { isStop, nack } from './stop.ts'

const base = 'https://corridor.example'
const receivedAt = new Date('2026-03-04T10:15:00Z')

const messages = {
  result: [
    ...['ORU^R01^ORU_R01', 'PID|1||M1^^^CENTRAL^MR||DOE^JANE||19800101|F'],
    'OBR|1|P1|F1|2823-3^Potassium^LN|||20260304100000|||||||||1234^SMITH^JOHN|||||||||F',
    'OBX|1|NM|2823-3^Potassium^LN||7.1|mmol/L|3.5-5|HH|||F',
  ],
  admission: [
    ...['ADT^A01^ADT_A01', 'EVN||20260304100000', 'PID|1||M1^^^CENTRAL^MR||DOE^JANE||19800101|F|||1 High St'],
    'PV1|1|I|W1^R1^B1||||1234^SMITH^JOHN||||||||||||V1',
  ],
  move: [
    'ADT^A31^ADT_A05',
    'EVN||20260304110000',
    'PID|1||M1^^^CENTRAL^MR||DOE^JANE||19800101|F|||2 Low St',
    'PV1|1|N',
  ],
  /** Of somebody whom nobody knows here. */
  departure: ['MFN^M02^MFN_M02', 'MFI|STF||UPD|||SU', 'MFE|MDL|R1||2005', 'STF|2005||Nurse^New'],
} as const

function mappedOf(name: keyof typeof messages): Mapped {
  const [type, ...segments] = messages[name]
  const text = [`MSH|^~\\&|LAB|CENTRAL|HUB|HIE|20260304101500||${type}|77|P|2.5.1`, ...segments, ''].join('\r')
  const mapped = mapMessage(parseMessage(text), {
    ...{ base, zone: makeZone('UTC'), settings: {}, terms: new Map(), receivedAt },
    facility: { code: 'CENTRAL', organization: 'Organization/1', namespaces: new Map() },
  })
  if (mapped.refused !== undefined) throw new Error('the message is refused')
  return mapped
}

const received = (changes: Partial<Received> = {}): Received => ({
  ...{ transactionId: 't', channel: testChannel('oru'), message: parseMessage('MSH|^~\\&|\r'), receivedAt },
  ...{ attempt: 1, run: 1, wasRefused: false, wasEnded: false, checkHeld: () => {} },
  signal: new AbortController().signal,
  ...changes,
})

/** What a run of the message told of, as `operation Type`. */
async function run(
  name: keyof typeof messages,
  store: MemoryFhirStore,
  changes: Partial<Received> & { readonly isOwnStore?: boolean } = {},
): Promise<readonly string[]> {
  const { isOwnStore = true, ...rest } = changes
  const deps = depsWith(store, isOwnStore)
  const mapped = mappedOf(name)
  const arrival = received(rest)
  const stored = await findStored(mapped.writes, arrival.signal, deps)
  const ended = await persist({ received: arrival, mapped, people: [], stored, governAgain }, deps)
  if (isStop(ended)) return [`${ended.status} ${ended.errorCode}`]
  return ended.resources.map(({ operation, type }) => `${operation} ${type}`)
}

const depsWith = (store: MemoryFhirStore, isOwnStore: boolean): PersistDeps => {
  const breakers = { call: (_: string, work: () => unknown) => work() }
  // Sound: the index is asked for nobody here.
  return { base, store, isOwnStore, index: {}, breakers } as unknown as PersistDeps
}

const governAgain: ToPersist['governAgain'] = async () => ({ is: 'governed', silences: 0 })

const young = { now: () => new Date(receivedAt.getTime() + 1_000) }

const worlds = [
  { where: 'our own store', isOwnStore: true, takesTransactions: true },
  { where: 'another store', isOwnStore: false, takesTransactions: true },
  { where: 'another store without transactions', isOwnStore: false, takesTransactions: false },
]

describe.each(worlds)('two messages that create the same at once in $where', ({ isOwnStore, takesTransactions }) => {
  it('join what they say: the second does not replace what it did not find', async () => {
    const store = memoryFhirStore({ takesTransactions })
    store.beforeNextWrite(() => run('admission', store, { isOwnStore }))
    const told = await run('result', store, { isOwnStore })
    expect(told).toContain('create Observation')
    const one = (type: string) => [...store.resources.values()].filter(({ resourceType }) => resourceType === type)
    expect(one('Patient')).toMatchObject([{ address: [{ line: ['1 High St'] }], meta: { versionId: '1' } }])
    expect(one('Practitioner')).toMatchObject([{ meta: { versionId: '1' } }])
    expect(one('Encounter')).toHaveLength(1)
  })

  it('are written in one round trip where nobody else writes', async () => {
    const store = memoryFhirStore({ takesTransactions })
    await run('result', store, { isOwnStore })
    const creations = store.resources.size
    expect(store.attempts).toHaveLength(isOwnStore ? 1 : takesTransactions ? 2 : creations)
  })
})

it('the Patient goes to another store by a conditional update, as the specification has it', async () => {
  const store = memoryFhirStore()
  await run('result', store, { isOwnStore: false })
  expect(store.attempts[0]).toBe('PUT Patient')
})

describe.each(worlds)('a merge that is confirmed while a message is under way, in $where', (where) => {
  const refer = (golden: string) => [{ type: 'refer' as const, other: { reference: `Patient/${golden}` } }]
  // Sound: the messages make one Patient.
  const patientIn = (store: MemoryFhirStore) =>
    [...store.resources.values()].find(({ resourceType }) => resourceType === 'Patient') as Patient & { id: string }

  function change(changes: Partial<Patient>, store: MemoryFhirStore) {
    const { system, value } = patientIn(store).identifier?.[0] ?? {}
    return store.updateMatching({ ...patientIn(store), ...changes }, { identifier: `${system}|${value}` })
  }

  const asked: (readonly Person[])[] = []
  beforeEach(() => void asked.splice(0))

  async function endOf(name: keyof typeof messages, goldenId: string, store: MemoryFhirStore, answer = governAgain) {
    const mapped = mappedOf(name)
    const writes = linkedByIndex(mapped.writes, () => goldenId)
    const stored = await findStored(writes, received().signal, depsWith(store, where.isOwnStore))
    const people = mapped.patients.map((fullUrl) => {
      const { id } = stored.get(fullUrl) ?? {}
      return { fullUrl, goldenId, ...(id === undefined ? {} : { id }) }
    })
    const noted: ToPersist['governAgain'] = (others) => (asked.push(others), answer(others))
    const message = { received: received(), mapped: { ...mapped, writes }, people, stored, governAgain: noted }
    return persist(message, depsWith(store, where.isOwnStore))
  }

  async function persistLinked(name: keyof typeof messages, goldenId: string, store: MemoryFhirStore) {
    const ended = await endOf(name, goldenId, store)
    if (isStop(ended)) throw new Error(ended.errorCode)
    return ended
  }

  it('is not undone by what the message knew of the person', async () => {
    const store = memoryFhirStore(where)
    await persistLinked('admission', 'replaced', store)
    const { id } = patientIn(store)
    store.beforeNextWrite(() => change({ link: refer('kept') }, store))
    const { people } = await persistLinked('move', 'replaced', store)
    expect(patientIn(store)).toMatchObject({ address: [{ line: ['2 Low St'] }], link: refer('kept') })
    expect(people).toMatchObject([{ id, goldenId: 'kept' }])
    expect(asked).toMatchObject([[{ id, goldenId: 'kept' }]])
  })

  it('is no reason to keep a link that the index has thought better of', async () => {
    const store = memoryFhirStore(where)
    await persistLinked('admission', 'before', store)
    store.beforeNextWrite(() => change({ active: true }, store))
    await persistLinked('move', 'after', store)
    expect(patientIn(store).link).toEqual(refer('after'))
    expect(asked).toEqual([])
  })

  describe('of their record into another', () => {
    /** The record that stays, and the one that goes as soon as the message is about to be written. */
    async function merging(link: Patient['link']) {
      const store = memoryFhirStore(where)
      await persistLinked('admission', 'golden', store)
      const stays = { resourceType: 'Patient' as const, identifier: [{ system: 'urn:b', value: 'B' }] }
      const survivor = { ...stays, ...(link === undefined ? {} : { link }) }
      const { id } = (await store.updateMatching(survivor, { identifier: 'urn:b|B' })).resource
      const goes = [{ type: 'replaced-by' as const, other: { reference: `Patient/${id}` } }]
      store.beforeNextWrite(() => change({ active: false, link: goes }, store))
      return { store, id, now: () => store.resources.get(`Patient/${id}`) }
    }

    it.each([
      ['a golden record', refer('other')],
      ['none', undefined],
    ])('is written to the one that stays, which has %s, when consent was asked about that one', async (_, link) => {
      const { store, id, now } = await merging(link)
      const { people } = await persistLinked('move', 'golden', store)
      const meant = [{ id, goldenId: link === undefined ? id : 'other' }]
      expect(asked).toMatchObject([meant])
      expect(people).toMatchObject(meant)
      expect(now()).toMatchObject({ address: [{ line: ['2 Low St'] }] })
      // Sound: it is a Patient.
      expect((now() as Patient).link).toEqual(link)
    })

    it('is not written when the consent of the one that stays does not permit it', async () => {
      const { store, now } = await merging(undefined)
      const before = now()
      const no = async () => nack('CONSENT_DENIED', 'no', { code: 'AR' })
      expect(await endOf('move', 'golden', store, no)).toMatchObject({ errorCode: 'CONSENT_DENIED' })
      expect(now()).toEqual(before)
    })
  })
})

describe('what a run stored and did not tell of', () => {
  const all = ['create DiagnosticReport', 'create Observation', 'create Patient', 'create Practitioner']

  it.each([
    ['because it was killed', { run: 2 }],
    ['because its sender was told that it took too long, and has sent it again', { wasRefused: true }],
  ])('%s, is told of by the next one, also what is only made sure of', async (_, how) => {
    const store = memoryFhirStore(young)
    await run('result', store)
    expect(await run('result', store, how)).toEqual(expect.arrayContaining(all))
  })

  it('is told of however long ago the refused message was, as far as that is known', async () => {
    const store = memoryFhirStore({ now: () => new Date(receivedAt.getTime() - 3_600_000) })
    await run('result', store)
    expect(await run('result', store, { wasRefused: true })).toEqual(expect.arrayContaining(all))
  })

  it('is not what others stored long before, where it is only made sure of', async () => {
    const store = memoryFhirStore({ now: () => new Date(receivedAt.getTime() - 3_600_000) })
    await run('result', store)
    const told = await run('result', store, { run: 2 })
    expect(told).toContain('create Observation')
    expect(told).not.toContain('create Patient')
  })

  it('is nothing that a first run finds as it is', async () => {
    const store = memoryFhirStore(young)
    await run('result', store)
    expect(await run('result', store)).toEqual(['update Provenance'])
  })
})

it.each(worlds)('what writes nothing is no call of $where, and no trial of it', async ({ isOwnStore }) => {
  const store = memoryFhirStore()
  const breakers = new Breakers({ clock: systemClock, metrics: new Metrics() })
  const deps = { ...depsWith(store, isOwnStore), breakers }
  const mapped = mappedOf('departure')
  const { signal } = received()
  const stored = await findStored(mapped.writes, signal, deps)
  const asked = breakers.entryOf('fhir-server').successCount
  const ended = await persist({ received: received(), mapped, people: [], stored, governAgain }, deps)
  expect([ended, store.attempts]).toMatchObject([{ resources: [] }, []])
  expect(breakers.entryOf('fhir-server').successCount).toBe(asked)
  await findStored([], signal, deps)
  expect(breakers.entryOf('fhir-server').successCount).toBe(asked)
})

it('nothing is written for a message whose time is over', async () => {
  const store = memoryFhirStore()
  const ending = new AbortController()
  // The last that is asked before the write; in the same process nobody heeds the signal after that.
  const checkHeld = () => ending.abort(new DOMException('The message took too long.', 'TimeoutError'))
  await run('result', store, { signal: ending.signal, checkHeld })
  expect(store.attempts).toEqual([])
})
