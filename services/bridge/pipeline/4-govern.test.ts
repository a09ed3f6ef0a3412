import { describe, expect, it } from 'vitest'
import { unavailable } from '../../../packages/faults/fault.ts'
import type { FhirResource } from '../../../packages/fhir/r4.ts'
import type { Answered } from '../../../ports/consent/consent.ts'
import { circuitOpenCode } from '../breakers/circuit-breaker.ts'
import type { Mapped, Write, WriteMode } from '../mapping/mapped.ts'
import type { Stored, StoredResource } from '../persist/stored.ts'
import { govern, governQuery, isGranted, wishesOf, type GovernDeps, type ToGovern } from './4-govern.ts'

const write = (resourceType: string, mode: WriteMode = 'upsert'): Write =>
  ({ fullUrl: `urn:uuid:${resourceType}`, mode, resource: { resourceType } as FhirResource }) as Write

const asked = (writes: readonly Write[], stored: Stored, people: ToGovern['people']) =>
  wishesOf({
    // Sound: the questions look at the writes only.
    ...{ organization: 'Organization/central', people, stored, mapped: { writes } as Mapped },
    received: {} as ToGovern['received'],
  })
    .flat()
    .map(({ patientId, resourceType, fhirOperation }) => `${patientId} ${resourceType} ${fhirOperation}`)

const there = (...types: string[]): Stored =>
  new Map(types.map((type) => [`urn:uuid:${type}`, { resourceType: type, id: 'x' } as StoredResource]))

const known = [{ fullUrl: 'urn:uuid:Patient', id: 'amina', goldenId: 'amina' }]

describe('what the consent service is asked', () => {
  it('is one question a type and operation, of what is about a patient', () => {
    const writes = [write('Patient'), write('Encounter'), write('Location'), write('Organization', 'ensure')]
    expect(asked(writes, there('Patient'), known)).toEqual(['amina Patient UPDATE', 'amina Encounter CREATE'])
  })

  it('is asked of every record that stands for the person', () => {
    const people = [{ fullUrl: 'urn:uuid:Patient', id: 'here', goldenId: 'golden' }]
    expect(asked([write('Patient')], there('Patient'), people)).toEqual([
      'here Patient UPDATE',
      'golden Patient UPDATE',
    ])
  })

  it('is asked of every record that was golden until it was merged, each once', () => {
    const people = [{ fullUrl: 'urn:uuid:Patient', id: 'here', goldenId: 'golden', goldenBefore: ['here', 'before'] }]
    expect(asked([write('Patient')], there('Patient'), people)).toEqual([
      'here Patient UPDATE',
      'golden Patient UPDATE',
      'before Patient UPDATE',
    ])
  })

  it('is asked of a newcomer by the name that only this message gives them', () => {
    expect(asked([write('Patient')], there(), [{ fullUrl: 'urn:uuid:0-1-2' }])).toEqual(['0-1-2 Patient CREATE'])
  })

  it('is asked of everybody whom the message is about', () => {
    const two = [...known, { fullUrl: 'urn:uuid:other', id: 'kofi' }]
    expect(asked([write('Patient')], there(), two)).toEqual(['amina Patient CREATE', 'kofi Patient CREATE'])
  })

  it.each([
    ...['Device', 'HealthcareService', 'Location', 'Medication', 'Organization'],
    ...['Practitioner', 'PractitionerRole', 'Provenance', 'Schedule', 'Slot'],
  ])('is nothing of a %s, which is nobody’s health', (type) => {
    expect(asked([write('Patient'), write(type)], there(), known)).toEqual(['amina Patient CREATE'])
  })

  it.each<[WriteMode, Stored, string[]]>([
    ['amend', there(), ['amina Observation UPDATE']],
    ['amend', there('Observation'), ['amina Observation UPDATE']],
    ['ensure', there(), ['amina Observation CREATE']],
    ['ensure', there('Observation'), ['amina Patient UPDATE']],
    ['upsert', there(), ['amina Observation CREATE']],
    ['upsert', there('Observation'), ['amina Observation UPDATE']],
  ])('is about what would happen: %s', (mode, stored, expected) => {
    expect(asked([write('Observation', mode)], stored, known)).toEqual(expected)
  })

  it('is about making what is only taken back, where that leaves a trace of what was never there', () => {
    const takenBack: Write = { ...write('Observation', 'amend'), leavesTrace: true }
    expect(asked([takenBack], there(), known)).toEqual(['amina Observation CREATE'])
    expect(asked([takenBack], there('Observation'), known)).toEqual(['amina Observation UPDATE'])
  })

  it('is asked even when nothing would be written', () => {
    expect(asked([write('Patient', 'ensure')], there('Patient'), known)).toEqual(['amina Patient UPDATE'])
  })
})

describe('what one record of a person says', () => {
  it.each([
    ['a yes of one holds for the other', ['PERMIT', 'NO_CONSENT'], true],
    ['a refusal of one counts more than a yes of the other', ['PERMIT', 'DENY'], false],
    ['silence of both is no', ['NO_CONSENT', 'NO_CONSENT'], false],
    ['nobody asked is no', [], false],
  ] as const)('%s', (_what, outcomes, granted) => {
    expect(isGranted(outcomes.map((outcome) => ({ outcome })))).toBe(granted)
  })
})

describe('a message', () => {
  const two = [...known, { fullUrl: 'urn:uuid:other', id: 'kofi' }]
  const message: ToGovern = {
    ...{ organization: 'Organization/central', people: two, stored: there() },
    // Sound: of the message only its writes and its signal are looked at.
    mapped: { writes: [write('Patient'), write('Observation')] } as unknown as Mapped,
    received: { signal: AbortSignal.timeout(60_000) } as ToGovern['received'],
  }

  it('goes on when everything is permitted to everybody, each asked for the sender', async () => {
    const { deps, questions, circuits } = consentOf({})
    expect(await govern(message, deps)).toEqual({ is: 'governed', silences: 0 })
    expect([...circuits]).toEqual(['consent-service'])
    expect(questions).toEqual([
      'amina Patient CREATE Organization/central',
      'amina Observation CREATE Organization/central',
      'kofi Patient CREATE Organization/central',
      'kofi Observation CREATE Organization/central',
    ])
  })

  it.each(['AR', 'AE'] as const)('is refused with %s when one type of one person is not', async (refusedAck) => {
    const { deps } = consentOf({ 'kofi Observation': { outcome: 'NO_CONSENT', reason: 'silence' } }, { refusedAck })
    expect(await govern(message, deps)).toMatchObject({
      ...{ status: 'ERROR', code: refusedAck, errorCode: 'CONSENT_DENIED' },
      refusal: {
        ...{ patientId: 'kofi', resourceType: 'Observation', operation: 'CREATE', reason: 'silence' },
        ...{ consentRecordId: null, actor: 'Organization/central' },
      },
    })
  })

  it.each<[string, Says, string]>([
    [
      'a refusal before a record, whatever comes first',
      { 'amina Patient': { outcome: 'NO_CONSENT', consentRecordId: 7 }, 'kofi Observation': { outcome: 'DENY' } },
      'kofi Observation',
    ],
    [
      'a record before silence',
      {
        'amina Patient': { outcome: 'NO_CONSENT' },
        'kofi Patient': { outcome: 'NO_CONSENT', consentRecordId: 7 },
      },
      'kofi Patient',
    ],
    [
      'the first of several that say as little',
      { 'amina Observation': { outcome: 'NO_CONSENT' }, 'kofi Patient': { outcome: 'NO_CONSENT' } },
      'amina Observation',
    ],
  ])('tells of %s', async (_what, says, told) => {
    const [patientId, resourceType] = told.split(' ')
    expect(await govern(message, consentOf(says).deps)).toMatchObject({ refusal: { patientId, resourceType } })
  })

  it('has to come again when there is no answer, unless an answer is not insisted on', async () => {
    const says: Says = { 'kofi Patient': 'unanswered' }
    expect(await govern(message, consentOf(says).deps)).toMatchObject({
      ...{ status: 'ERROR', code: 'AE', errorCode: 'CONSENT_UNAVAILABLE' },
      errorMessage: expect.stringContaining('It is down.'),
    })
    expect(await govern(message, consentOf(says, { failClosed: false }).deps)).toEqual({ is: 'governed', silences: 1 })
  })

  it.each<[string, (deps: GovernDeps) => Promise<object>]>([
    ['one of its questions', (deps) => govern(message, deps)],
    [
      'one of its questions about whom it found',
      (deps) => governQuery([{ patient: { id: 'amina' }, goldenId: 'golden', others: [] }], message, deps),
    ],
  ])('has called somebody when %s was a trial, though the circuit kept back the others', async (_which, asks) => {
    const later = async (admitted: number) => {
      const open = unavailable('away', { code: circuitOpenCode })
      let calls = 0
      const call = async (_: string, work: () => Promise<unknown>) => {
        if (calls++ >= admitted) throw open
        return work()
      }
      const { deps } = consentOf({ 'amina Patient': 'unanswered' })
      const ended = await asks({ ...deps, breakers: { call } as unknown as GovernDeps['breakers'] })
      return 'later' in ended ? ended.later : undefined
    }
    expect(await later(0)).toMatchObject({ wasCalled: false })
    expect(await later(1)).toMatchObject({ wasCalled: true })
  })

  it.each([
    ['a refusal', 'amina Observation', 'DENY'],
    ['a refusal for another person', 'kofi Observation', 'DENY'],
    ['the lack of a consent', 'amina Observation', 'NO_CONSENT'],
  ] as const)('is refused for %s that was heard, also where another question got no answer', async (_what, of, no) => {
    const says: Says = { 'amina Patient': 'unanswered', [of]: { outcome: no } }
    const [patientId, resourceType] = of.split(' ')
    expect(await govern(message, consentOf(says, { failClosed: false }).deps)).toMatchObject({
      ...{ status: 'ERROR', code: 'AR', errorCode: 'CONSENT_DENIED', refusal: { patientId, resourceType } },
    })
  })

  it('is refused by one record of a person, also where another of the same person got no answer', async () => {
    const twice = { ...message, people: [{ fullUrl: 'urn:uuid:Patient', id: 'amina', goldenId: 'golden' }] }
    const says: Says = { 'amina Patient': 'unanswered', 'golden Patient': { outcome: 'DENY' } }
    const denied = { errorCode: 'CONSENT_DENIED' }
    expect(await govern(twice, consentOf(says, { failClosed: false }).deps)).toMatchObject(denied)
  })

  it('is not asked about where consent is off or nobody is in it, and then goes on', async () => {
    const says: Says = { 'amina Patient': { outcome: 'DENY' } }
    const off = consentOf(says, { enabled: false })
    const nobody = consentOf(says)
    expect(await govern(message, off.deps)).toEqual({ is: 'governed', silences: 0 })
    expect(await govern({ ...message, people: [] }, nobody.deps)).toEqual({ is: 'governed', silences: 0 })
    expect([off.questions, nobody.questions]).toEqual([[], []])
  })

  describe('that asks for people', () => {
    const found = [
      { patient: { id: 'amina' }, goldenId: 'amina-golden', others: [] },
      { patient: { id: 'kofi' }, goldenId: 'kofi', others: [] },
    ]
    const [amina, kofi] = found

    it('hears of those who let the sender read them, by every record of theirs', async () => {
      const { deps, questions } = consentOf({ 'amina-golden Patient': { outcome: 'DENY' } })
      expect(await governQuery(found, message, deps)).toEqual({ shown: [kofi], silences: 0 })
      expect(questions).toEqual([
        'amina Patient READ Organization/central',
        'amina-golden Patient READ Organization/central',
        'kofi Patient READ Organization/central',
      ])
      expect(await governQuery(found, message, consentOf({ 'kofi Patient': { outcome: 'DENY' } }).deps)).toEqual({
        shown: [amina],
        silences: 0,
      })
    })

    it('does not hear of who refuses on a record that was golden until it was merged', async () => {
      const merged = [{ ...found[0], goldenBefore: ['before'] }, found[1]] as typeof found
      const { deps, questions } = consentOf({ 'before Patient': { outcome: 'DENY' } })
      expect(await governQuery(merged, message, deps)).toEqual({ shown: [kofi], silences: 0 })
      expect(questions).toContain('before Patient READ Organization/central')
    })

    it.each(['AR', 'AE'] as const)('is refused with %s when that is nobody', async (refusedAck) => {
      const says: Says = { 'amina Patient': { outcome: 'DENY' }, 'kofi Patient': { outcome: 'NO_CONSENT' } }
      const refused = { status: 'ERROR', code: refusedAck, errorCode: 'CONSENT_DENIED' }
      expect(await governQuery(found, message, consentOf(says, { refusedAck }).deps)).toMatchObject(refused)
    })

    it('has to come again when there is no answer, unless an answer is not insisted on', async () => {
      const says: Says = { 'kofi Patient': 'unanswered' }
      const again = { status: 'ERROR', code: 'AE', errorCode: 'CONSENT_UNAVAILABLE' }
      expect(await governQuery(found, message, consentOf(says).deps)).toMatchObject(again)
      expect(await governQuery(found, message, consentOf(says, { failClosed: false }).deps)).toEqual({
        shown: found,
        silences: 1,
      })
    })

    it('does not hear of who refuses, also where there is no answer about another', async () => {
      const says: Says = { 'kofi Patient': 'unanswered', 'amina Patient': { outcome: 'DENY' } }
      expect(await governQuery(found, message, consentOf(says, { failClosed: false }).deps)).toEqual({
        shown: [kofi],
        silences: 1,
      })
    })

    describe('of whom there are records elsewhere', () => {
      const elsewhere = [
        { patient: { id: 'here' }, goldenId: 'golden', others: [{ id: 'there' }, { id: 'yonder' }] },
        { patient: { id: 'there' }, goldenId: 'golden', others: [{ id: 'here' }, { id: 'yonder' }] },
      ]
      const others = (...ids: readonly string[]) => ids.map((id) => ({ id }))

      it('is told of those that do not refuse, each asked about once', async () => {
        const { deps, questions } = consentOf({ 'there Patient': { outcome: 'DENY' } })
        const shown = [{ ...elsewhere[0], others: others('yonder') }]
        expect(await governQuery(elsewhere, message, deps)).toEqual({ shown, silences: 0 })
        const records = ['here', 'golden', 'there', 'yonder']
        expect(questions).toEqual(records.map((id) => `${id} Patient READ Organization/central`))
      })

      it('is told of those of which nothing is said where the one that was found says yes', async () => {
        const silent = { outcome: 'NO_CONSENT' } as const
        const says: Says = { 'golden Patient': silent, 'there Patient': silent, 'yonder Patient': silent }
        const shown = [elsewhere[0]]
        expect(await governQuery(elsewhere, message, consentOf(says).deps)).toEqual({ shown, silences: 0 })
      })

      it('has to come again when there is no answer about one of them, unless none is insisted on', async () => {
        const says: Says = { 'yonder Patient': 'unanswered', 'there Patient': { outcome: 'DENY' } }
        const again = { status: 'ERROR', code: 'AE', errorCode: 'CONSENT_UNAVAILABLE' }
        expect(await governQuery(elsewhere, message, consentOf(says).deps)).toMatchObject(again)
        const shown = [{ ...elsewhere[0], others: others('yonder') }]
        const careless = consentOf(says, { failClosed: false }).deps
        expect(await governQuery(elsewhere, message, careless)).toEqual({ shown, silences: 1 })
      })
    })

    it('hears of all where consent is off, and of nobody where nobody was found', async () => {
      const off = consentOf({ 'amina Patient': { outcome: 'DENY' } }, { enabled: false })
      expect(await governQuery(found, message, off.deps)).toEqual({ shown: found, silences: 0 })
      expect(await governQuery([], message, consentOf({}).deps)).toEqual({ shown: [], silences: 0 })
      expect(off.questions).toEqual([])
    })
  })
})

type Says = Readonly<Record<string, Partial<Answered> | 'unanswered'>>

/** A consent service that permits everything but what it says by person and type. */
function consentOf(says: Says, rule: Partial<GovernDeps['consentRule']> = {}) {
  const questions: string[] = []
  const circuits = new Set<string>()
  const deps: GovernDeps = {
    consentRule: { enabled: true, failClosed: true, refusedAck: 'AR', ...rule },
    breakers: {
      call(dependency, work) {
        circuits.add(dependency)
        return work()
      },
    },
    consent: {
      async evaluate({ patientId, resourceType, fhirOperation, actorReferences }) {
        questions.push(`${patientId} ${resourceType} ${fhirOperation} ${actorReferences.join()}`)
        const said = says[`${patientId} ${resourceType}`] ?? {}
        if (said === 'unanswered') {
          return { is: 'unanswered', permitted: false, reason: 'none', fault: unavailable('It is down.') }
        }
        const outcome = said.outcome ?? 'PERMIT'
        const answer = { outcome, permitted: outcome === 'PERMIT', reason: '', consentRecordId: null, decisionId: null }
        return { is: 'answered', ...answer, ...said }
      },
    },
  }
  return { deps, questions, circuits }
}
