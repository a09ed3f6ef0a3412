import { describe, expect, it } from 'vitest'
import type { Condition, Coverage, Encounter, Patient, Procedure, RelatedPerson } from '../../../packages/fhir/r4.ts'
import { caseMessages } from './testing/case-files.ts'
import { mapInPasses } from './testing/map-in-passes.ts'
import { SmallStore } from './testing/small-store.ts'

let controlId = 0
function send(store: SmallStore, trigger: string, ...segments: readonly string[]): void {
  const header = `MSH|^~\\&|PAS|CENTRAL|||20260304101500||ADT^${trigger}|${++controlId}|P|2.5.1`
  const mapping = mapInPasses([header, `EVN|${trigger}|20260304101500`, ...segments].join('\r'))
  if (mapping.refused !== undefined) throw new Error(mapping.refused[0]?.text)
  store.apply(mapping)
}

const patient = 'PID|1||1^^^CENTRAL^MR||Diallo^Amina||1987|F'
const visit = (place: string, prior = '') => `PV1|1|I|${place}|||${prior}${'|'.repeat(19 - 6)}V1^^^CENTRAL`
const withDischarge = (place: string, end: string) => `${visit(place)}${'|'.repeat(45 - 19)}${end}`

function onlyVisit(store: SmallStore): Encounter {
  const [found] = store.ofType<Encounter>('Encounter')
  if (found === undefined) throw new Error('the store has no visit')
  return found
}

/** Each place and its state. */
const places = ({ location = [] }: Encounter) => location.map((one) => `${one.location.display} ${one.status}`)

describe('a visit', () => {
  it('is planned, begins, moves, ends and is reopened as its messages say', () => {
    const store = new SmallStore()
    const encounter = () => onlyVisit(store)

    send(store, 'A05', patient, visit('3W'))
    expect(encounter().status).toBe('planned')
    send(store, 'A01', patient, visit('3W'))
    expect(encounter().status).toBe('in-progress')
    expect(places(encounter())).toEqual(['3W active'])
    send(store, 'A02', patient, visit('ICU', '3W'))
    expect(places(encounter())).toEqual(['ICU active', '3W completed'])
    send(store, 'A12', patient, visit('3W'))
    expect(places(encounter())).toEqual(['3W active'])
    send(store, 'A21', patient, visit('3W'))
    expect(encounter().status).toBe('onleave')
    send(store, 'A08', patient, visit('3W'))
    expect(encounter().status).toBe('onleave')
    send(store, 'A22', patient, visit('3W'))
    send(store, 'A03', patient, withDischarge('3W', '20260306'))
    expect(encounter()).toMatchObject({ status: 'finished', period: { end: '2026-03-06' } })
    send(store, 'A13', patient, visit('3W'))
    expect(encounter().status).toBe('in-progress')
    expect(encounter().period?.end).toBeUndefined()
    send(store, 'A11', patient, visit('3W'))
    expect(encounter().status).toBe('cancelled')
    expect(store.ofType('Encounter')).toHaveLength(1)
    expect(store.ofType('Patient')).toHaveLength(1)
  })
})

describe('who takes part in a visit', () => {
  const consultant = (id: string, name: string) => `${id}^${name}^Jo^^^^^^CENTRAL`
  const attended = `PV1|1|I|||||${consultant('1', 'Abel')}${'|'.repeat(19 - 7)}V1^^^CENTRAL`
  const [abel, bakker] = [consultant('1', 'Abel'), consultant('2', 'Bakker')]

  it.each([
    ['whose role ends', [`ROL||DE|CP|${bakker}`], ['ATND Jo Abel', 'CON Jo Abel', 'CON Jo Dlamini']],
    ['who stays in another role', [`ROL||de|CP|${abel}`], ['ATND Jo Abel', 'CON Jo Bakker', 'CON Jo Dlamini']],
    ['who has no number', ['ROL||DE|CP|^Dlamini^Jo'], ['ATND Jo Abel', 'CON Jo Abel', 'CON Jo Bakker']],
    [
      'who never had it',
      [`ROL||DE|CP|${consultant('9', 'Eze')}`],
      ['ATND Jo Abel', 'CON Jo Abel', 'CON Jo Bakker', 'CON Jo Dlamini'],
    ],
    [
      'who goes while another comes',
      [`ROL||DE|CP|${bakker}`, `ROL||AD|CP|${consultant('9', 'Eze')}`],
      ['ATND Jo Abel', 'CON Jo Eze'],
    ],
  ])('is without somebody %s (ROL-2 DE)', (_who, roles, expected) => {
    const store = new SmallStore()
    const consulted = [abel, bakker, '^Dlamini^Jo'].map((one) => `ROL||AD|CP|${one}`)
    send(store, 'A01', patient, attended, ...consulted)
    send(store, 'A08', patient, visit('3W'), ...roles)
    const { participant = [] } = onlyVisit(store)
    const shown = participant.map(({ type, individual }) => `${type?.[0]?.coding?.[0]?.code} ${individual?.display}`)
    expect(shown).toEqual(expected)
  })
})

describe('the class of a visit', () => {
  const ambulant = `PV1|1|O${'|'.repeat(19 - 2)}V1^^^CENTRAL`

  it.each([
    ['A06', '', 'IMP'],
    ['A06', 'E', 'EMER'],
    ['A07', '', 'AMB'],
    ['A08', '', 'AMB'],
  ])('is after %s with "%s" in PV1-2 %s', (trigger, sent, code) => {
    const store = new SmallStore()
    send(store, 'A04', patient, ambulant)
    send(store, trigger, patient, ambulant.replace('|O', `|${sent}`))
    expect(onlyVisit(store).class.code).toBe(code)
  })
})

describe('what a visit was told by mistake', () => {
  const stroke = (action: string) => `DG1|1||I63.9^Stroke^I10${'|'.repeat(21 - 3)}${action}`
  const pain = 'DG1|2||R07.4^Chest pain^I10'
  const stent = (action: string) => `PR1|1||123^Stent^L||20260304${'|'.repeat(20 - 5)}${action}`
  const conditions = (store: SmallStore) =>
    store
      .ofType<Condition>('Condition')
      .map(({ verificationStatus, clinicalStatus }) => [
        verificationStatus?.coding?.[0]?.code,
        clinicalStatus?.coding?.[0]?.code,
      ])

  it('is none of its diagnoses any more', () => {
    const store = new SmallStore()
    send(store, 'A01', patient, visit('3W'), stroke(''), pain)
    send(store, 'A08', patient, visit('3W'), stroke('D'))
    expect(conditions(store)).toEqual([
      ['entered-in-error', undefined],
      [undefined, 'active'],
    ])
    const [, second] = store.ofType<Condition>('Condition')
    const reference = [...store.resources].find(([, resource]) => resource === second)?.[0]
    expect(onlyVisit(store).diagnosis).toMatchObject([{ condition: { reference } }])
  })

  it.each(['A', ''])('holds again when it is told again with the action "%s"', (action) => {
    const store = new SmallStore()
    send(store, 'A01', patient, visit('3W'), stroke(''), stent(''))
    send(store, 'A08', patient, visit('3W'), stroke('D'), stent('D'))
    expect(onlyVisit(store)).not.toHaveProperty('diagnosis')
    expect(store.ofType<Procedure>('Procedure')).toMatchObject([{ status: 'entered-in-error' }])
    send(store, 'A08', patient, visit('3W'), stroke(action), stent(action))
    expect(conditions(store)).toEqual([[undefined, 'active']])
    expect(onlyVisit(store).diagnosis).toHaveLength(1)
    expect(store.ofType<Procedure>('Procedure')).toMatchObject([{ status: 'completed' }])
  })
})

describe('the place before (PV1-6)', () => {
  it.each(['A01', 'A03', 'A04', 'A05', 'A08', 'A14', 'A16', 'A21', 'A22'])('is one that was left: %s', (trigger) => {
    const store = new SmallStore()
    send(store, trigger, patient, visit('3W', 'ED'))
    expect(places(onlyVisit(store))).toContain('ED completed')
  })

  it.each(['A11', 'A12', 'A27', 'A32', 'A33', 'A38'])('is none where it is what was cancelled: %s', (trigger) => {
    const store = new SmallStore()
    send(store, 'A01', patient, visit('3W'))
    send(store, trigger, patient, visit('3W', 'ICU'))
    expect(places(onlyVisit(store)).join()).not.toContain('ICU')
  })

  it('is one of a while where PV1-43 says it, and stays when nobody is in such a place any more', () => {
    const store = new SmallStore()
    const pv1 = (eleven: string, fortyThree = '') =>
      `PV1|1|I|3W${'|'.repeat(11 - 3)}${eleven}${'|'.repeat(19 - 11)}V1^^^CENTRAL${'|'.repeat(43 - 19)}${fortyThree}`
    send(store, 'A01', patient, pv1('XRAY', 'CATH'))
    expect(places(onlyVisit(store))).toEqual(['3W active', 'XRAY active', 'CATH completed'])
    send(store, 'A08', patient, pv1('""'))
    expect(places(onlyVisit(store))).toEqual(['CATH completed', '3W active'])
  })
})

describe('what is cancelled by its name', () => {
  /** PV1 and PV2 with these fields. */
  const fields = (name: string, values: Readonly<Record<number, string>>) =>
    Array.from({ length: 46 }, (_, at) => (at === 0 ? name : (values[at] ?? ''))).join('|')
  const pv1 = (values: Readonly<Record<number, string>>) => fields('PV1', { 2: 'I', 19: 'V1^^^CENTRAL', ...values })
  const pv2 = (values: Readonly<Record<number, string>>) => fields('PV2', values)
  const after = (...messages: readonly (readonly [trigger: string, ...segments: string[]])[]) => {
    const store = new SmallStore()
    for (const [trigger, ...segments] of messages) send(store, trigger, patient, ...segments)
    return onlyVisit(store)
  }

  it('a pending transfer leaves no place behind, whether PV1-42 or PV2-1 names it', () => {
    const pending = ['A15', pv1({ 3: '3W', 42: 'ICU' })] as const
    expect(places(after(pending))).toEqual(['3W active', 'ICU reserved'])
    for (const cancel of [[pv1({ 3: '3W', 42: 'ICU' })], [pv1({ 3: '3W' }), pv2({ 1: 'ICU' })]]) {
      expect(places(after(pending, ['A26', ...cancel]))).toEqual(['3W active'])
    }
  })

  it('a pending discharge leaves neither date nor goal', () => {
    const named = [pv1({ 3: '3W', 36: '01', 37: 'HOME', 45: '20260310' }), pv2({ 9: '20260310' })]
    expect(after(['A16', ...named])).toHaveProperty('extension')
    const visited = after(['A16', ...named], ['A25', ...named])
    expect(visited).toMatchObject({ status: 'in-progress' })
    for (const element of ['extension', 'hospitalization', 'period']) expect(visited).not.toHaveProperty(element)
  })

  it('a discharge leaves neither date nor goal', () => {
    const named = pv1({ 3: '3W', 14: '7', 36: '01', 37: 'HOME', 44: '20260301', 45: '20260310' })
    const visited = after(['A03', named], ['A13', named])
    expect(visited).toMatchObject({ status: 'in-progress', period: { start: '2026-03-01' } })
    expect(Object.keys(visited.hospitalization ?? {})).toEqual(['admitSource'])
    expect(places(visited)).toEqual(['3W active'])
  })

  it.each(['A01', 'A04', 'A02'])('a discharge is over when the visit goes on: %s', (trigger) => {
    const visited = after(
      ['A03', pv1({ 3: '3W', 14: '7', 36: '01', 37: 'HOME', 44: '20260301', 45: '20260310' })],
      [trigger, pv1({ 3: 'ICU' })],
    )
    expect(visited).toMatchObject({ status: 'in-progress', period: { start: '2026-03-01' } })
    expect(visited.period?.end).toBeUndefined()
    expect(Object.keys(visited.hospitalization ?? {})).toEqual(['admitSource'])
  })

  it('a discharge that the message itself tells of stays', () => {
    const visited = after(['A03', pv1({ 36: '01', 45: '20260310' })], ['A01', pv1({ 36: '20', 45: '20260312' })])
    expect(visited).toMatchObject({ status: 'finished', period: { end: '2026-03-12' } })
    expect(visited.hospitalization?.dischargeDisposition?.coding?.[0]?.code).toBe('20')
  })

  it('a discharge of which only the day is known may be on the day of the admission', () => {
    const sameDay = pv1({ 44: '202603041000', 45: '20260304' })
    const period = { start: '2026-03-04T10:00:00+04:00', end: '2026-03-04' }
    expect(after(['A03', sameDay])).toMatchObject({ status: 'finished', period })
    expect(after(['A04', sameDay])).toMatchObject({ status: 'finished', period })
    expect(after(['A04', pv1({ 44: '202603041000', 45: '20260303' })])).toMatchObject({ status: 'in-progress' })
  })

  it.each([
    [
      'A08 after a discharge',
      'finished',
      [
        ['A03', pv1({ 3: '3W' })],
        ['A08', pv1({ 3: '3W' })],
      ],
    ],
    ['A04 with a discharge', 'finished', [['A04', pv1({ 3: '3W', 45: '20260310' })]]],
    [
      'A08 with a discharge',
      'finished',
      [
        ['A01', pv1({ 3: '3W' })],
        ['A08', pv1({ 45: '20260310' })],
      ],
    ],
    [
      'A11 without the place',
      'cancelled',
      [
        ['A01', pv1({ 3: '3W' })],
        ['A11', pv1({})],
      ],
    ],
    [
      'A23',
      'entered-in-error',
      [
        ['A01', pv1({ 3: '3W' })],
        ['A23', pv1({ 3: '3W' })],
      ],
    ],
  ] as const)('nobody lies in a bed when the visit is over: %s', (_what, status, messages) => {
    const visited = after(...messages)
    expect(visited.status).toBe(status)
    expect(places(visited)).toEqual(['3W completed'])
  })

  it.each([
    [
      'the place of a visit under way',
      [
        ['A01', pv1({ 3: '3W' })],
        ['A08', pv1({ 3: '""' })],
      ],
      [],
    ],
    [
      'the place of a planned visit',
      [
        ['A05', pv1({ 3: '3W' })],
        ['A05', pv1({ 3: '""' })],
      ],
      [],
    ],
    [
      'a pending place',
      [
        ['A15', pv1({ 3: '3W', 42: 'ICU' })],
        ['A08', pv1({ 42: '""' })],
      ],
      ['3W active'],
    ],
    [
      'a temporary place',
      [
        ['A01', pv1({ 3: '3W', 11: 'XRAY' })],
        ['A08', pv1({ 11: '""' })],
      ],
      ['3W active'],
    ],
  ] as const)('"" takes away %s', (_what, messages, left) => {
    expect(places(after(...messages))).toEqual(left)
  })

  it('"" at a discharge keeps the place that was left', () => {
    expect(places(after(['A01', pv1({ 3: '3W' })], ['A03', pv1({ 3: '""' })]))).toEqual(['3W completed'])
  })
})

describe('a patient', () => {
  it('keeps what later messages do not say, and loses what they delete', () => {
    const store = new SmallStore()
    send(store, 'A28', `${patient}|||||^PRN^PH^^^^55`)
    send(store, 'A31', 'PID|1||1^^^CENTRAL^MR||Keita^Amina')
    expect(store.ofType<Patient>('Patient')).toMatchObject([
      { name: [{ family: 'Keita' }], gender: 'female', birthDate: '1987', telecom: [{ use: 'home' }] },
    ])
    send(store, 'A31', 'PID|1||1^^^CENTRAL^MR||Keita^Amina||""')
    expect(store.ofType<Patient>('Patient')[0]?.birthDate).toBeUndefined()
  })

  it.each([
    [13, ['work 77']],
    [14, ['home 55', 'mobile 66', '67', 'a@example.org']],
  ])('keeps none of the numbers of PID-%i when it is ""', (field, left) => {
    const pid = (values: { readonly 13: string; readonly 14: string }) =>
      `${patient}${'|'.repeat(13 - 8)}${values[13]}|${values[14]}`
    const own = '^PRN^PH^^^^55~^PRN^CP^^^^66~^ORN^PH^^^^67~^NET^Internet^a@example.org'
    const store = new SmallStore()
    send(store, 'A28', pid({ 13: own, 14: '^WPN^PH^^^^77' }))
    send(store, 'A08', pid({ 13: '', 14: '', [field]: '""' }), 'PV1|1|N')
    const [person] = store.ofType<Patient>('Patient')
    expect(person?.telecom?.map(({ use, value }) => (use === undefined ? value : `${use} ${value}`))).toEqual(left)
  })

  it.each(['Alias^Y', 'Alias^Y^^^^^A', 'Alias^Y^^^^^N'])('loses the alias %s when PID-9 is ""', (alias) => {
    const store = new SmallStore()
    const families = () => store.ofType<Patient>('Patient')[0]?.name?.map(({ family }) => family)
    send(store, 'A28', `${patient}|${alias}`)
    expect(families()).toEqual(['Diallo', 'Alias'])
    send(store, 'A31', `${patient}|""`)
    expect(families()).toEqual(['Diallo'])
  })

  it.each([
    ['an alias', `${patient}|Alias^Y`, ['Diallo', 'Alias']],
    ['a maiden name', patient.replace('Amina', 'Amina^^^^^L~Keita^Amina^^^^^M'), ['Diallo', 'Keita']],
  ])('is still called first by the official name after a message that does not say %s', (_, pid, families) => {
    const store = new SmallStore()
    send(store, 'A28', pid)
    send(store, 'A31', patient)
    expect(store.ofType<Patient>('Patient')[0]?.name?.map(({ family }) => family)).toEqual(families)
  })

  it.each([
    ['MTH', 'C', 1],
    ['MTH', '', 1],
    ['EMC', 'N', 0],
    ['', 'C', 0],
  ])(
    'has whom NK1-3 %s and NK1-7 %s tell of as a person of their own, or as a contact only',
    (role, contact, count) => {
      const store = new SmallStore()
      send(store, 'A28', patient, `NK1|1|Diallo^Awa|${role}||||${contact}`)
      expect(store.ofType<Patient>('Patient')[0]?.contact).toHaveLength(1)
      expect(store.ofType('RelatedPerson')).toHaveLength(count)
    },
  )

  it('has next of kin who do not get the telephone of whoever was counted in their place before', () => {
    const store = new SmallStore()
    const wife = 'NK1|1|Diallo^Awa|SPO|2 Low St^^Curepipe|^PRN^PH^^^^5551111'
    const nell = (number: number, phone = '') => `NK1|${number}|Diallo^Nell|CHD||${phone}`
    const shown = () =>
      store
        .ofType<RelatedPerson>('RelatedPerson')
        .map((one) => [
          one.name?.[0]?.given?.[0],
          one.relationship?.[0]?.coding?.[0]?.code,
          one.address?.[0]?.city,
          one.telecom?.[0]?.value?.slice(-4),
        ])
    send(store, 'A08', patient, wife, nell(2, '^PRN^PH^^^^5552222'))
    send(store, 'A08', patient, 'NK1|1|Diallo^Awa^M|SPO', nell(2))
    expect(shown()).toEqual([
      ['Awa', 'SPS', 'Curepipe', '1111'],
      ['Nell', 'CHILD', undefined, '2222'],
    ])
    // Counted otherwise, they are who they were.
    send(store, 'A08', patient, nell(1), wife.replace('NK1|1', 'NK1|2'))
    expect(shown()).toEqual([
      ['Awa', 'SPS', 'Curepipe', '1111'],
      ['Nell', 'CHILD', undefined, '2222'],
    ])
  })

  it('has next of kin of one name who are told apart by what they are', () => {
    const store = new SmallStore()
    const [father, son] = ['NK1|1|Diallo^Omar|FTH', 'NK1|2|Diallo^Omar|CHD']
    const roles = () =>
      store.ofType<RelatedPerson>('RelatedPerson').map((one) => one.relationship?.[0]?.coding?.[0]?.code)
    send(store, 'A08', patient, father, son)
    send(store, 'A08', patient, son.replace('NK1|2', 'NK1|1'), father.replace('NK1|1', 'NK1|2'))
    expect(roles()).toEqual(['FTH', 'CHILD'])
  })

  it('has next of kin with the number of NK1-37, who are found as before', () => {
    const store = new SmallStore()
    const nk1 = (number: string) => `NK1|1|Diallo^Awa|SPO${'|'.repeat(37 - 3)}${number}`
    send(store, 'A28', patient, nk1(''))
    send(store, 'A31', patient, nk1('123-45-6789'))
    const people = store.ofType<RelatedPerson>('RelatedPerson')
    expect(people).toHaveLength(1)
    expect(people[0]?.identifier).toContainEqual(
      expect.objectContaining({
        value: '123-45-6789',
        type: { coding: [expect.objectContaining({ code: 'SB' })] },
      }),
    )
  })

  it.each([
    ['SPO', { type: 'RelatedPerson', display: 'Moussa Diallo' }],
    ['', { display: 'Moussa Diallo' }],
    ['SELF', { display: 'Moussa Diallo' }],
    ['SEL', { reference: expect.stringContaining('urn:uuid:'), type: 'Patient' }],
  ])('whose insurance is that of IN1-16, with %j in IN1-17, has them as its subscriber', (relation, subscriber) => {
    const store = new SmallStore()
    send(store, 'A28', patient, `IN1|1|PLANA|INS1^^^CENTRAL|Island${'|'.repeat(16 - 4)}Diallo^Moussa|${relation}`)
    expect(store.ofType<Coverage>('Coverage')).toMatchObject([{ subscriber }])
  })

  it('has what caused a diagnosis, and what a procedure is a part of, by their numbers', () => {
    const store = new SmallStore()
    const dg1 = `DG1|1||I21.0^^I10${'|'.repeat(20 - 3)}D2^CENTRAL||D1^CENTRAL`
    const pr1 = `PR1|1||123^Stent^L||20260304${'|'.repeat(19 - 5)}P2^CENTRAL${'|'.repeat(25 - 19)}P1^CENTRAL`
    send(store, 'A01', patient, visit('3W'), dg1, pr1)
    expect(store.ofType<Condition>('Condition')[0]?.extension).toMatchObject([
      { valueReference: { type: 'Condition', identifier: { value: 'D1' } } },
    ])
    expect(store.ofType<Procedure>('Procedure')).toMatchObject([
      { partOf: [{ type: 'Procedure', identifier: { value: 'P1' } }] },
    ])
  })

  it('is not changed by messages that only mention it', () => {
    const store = new SmallStore()
    send(store, 'A28', patient)
    send(store, 'A03', 'PID|1||1^^^CENTRAL^MR||WRONG^NAME||1900|M', visit('3W'))
    expect(store.ofType<Patient>('Patient')).toMatchObject([{ name: [{ family: 'Diallo' }], birthDate: '1987' }])
  })

  it.each([
    ['N', undefined],
    ['""', undefined],
    ['', ['R']],
    ['Y', ['R']],
  ])('who was protected and then has "%s" in PD1-12 and PV2-22 has the labels %s', (sent, labels) => {
    const store = new SmallStore()
    const isProtected = (value: string) => [
      patient,
      `PD1|${'|'.repeat(11)}${value}`,
      visit('3W'),
      `PV2|${'|'.repeat(21)}${value}`,
    ]
    send(store, 'A01', ...isProtected('Y'))
    send(store, 'A08', ...isProtected(sent))
    for (const { meta } of [onlyVisit(store), ...store.ofType<Patient>('Patient')])
      expect(meta?.security?.map(({ code }) => code)).toEqual(labels)
  })

  it.each(['N', '""'])('keeps the publicity code when PD1-12 is %s, and is protected when PD1-11 is ""', (sent) => {
    const store = new SmallStore()
    const labels = () => store.ofType<Patient>('Patient')[0]?.meta?.security?.map(({ code }) => code)
    send(store, 'A28', patient, 'PD1|||||||||||F|Y')
    send(store, 'A31', patient, 'PD1|||||||||||""|')
    expect(labels()).toEqual(['R'])
    send(store, 'A31', patient, `PD1|||||||||||F|${sent}`)
    expect(labels()).toEqual(['F'])
  })

  describe('has doctors and a practice', () => {
    const practice = 'Riverside^^^^^GPS^^^^P1'
    const doctor = (id: string, name: string) => `${id}^${name}^Jo^^^^^^CENTRAL`
    const pd1 = (facility: string, doctors: string) => `PD1|||${facility}|${doctors}`
    const known = pd1(practice, `${doctor('1', 'Abel')}~${doctor('2', 'Bakker')}`)

    it.each([
      ['neither', [], ['Riverside', 'Jo Abel', 'Jo Bakker']],
      ['PD1-4', [pd1('', doctor('3', 'Cohen'))], ['Riverside', 'Jo Cohen']],
      ['PD1-3', [pd1('Hillside^^^^^GPS^^^^P2', '')], ['Hillside', 'Jo Abel', 'Jo Bakker']],
      ['PD1-4 again', [pd1('', doctor('2', 'Bakker'))], ['Riverside', 'Jo Bakker']],
      ['"" in PD1-4', [pd1('', '""')], ['Riverside']],
      ['"" in PD1-3', [pd1('""', '')], ['Jo Abel', 'Jo Bakker']],
      ['a name without number', [pd1('', '^Dlamini^Jo')], ['Riverside', 'Jo Dlamini']],
      ['ROL', [`ROL||AD|PP|${doctor('3', 'Cohen')}`], ['Riverside', 'Jo Cohen']],
      ['ROL of who goes', [`ROL||DE|PP|${doctor('1', 'Abel')}`], ['Riverside', 'Jo Bakker']],
      [
        'ROL of who comes and who goes',
        [`ROL||DE|PP|${doctor('1', 'Abel')}`, `ROL||AD|FHCP|${doctor('4', 'Eze')}`],
        ['Riverside', 'Jo Eze'],
      ],
      [
        'PD1-4 beside ROL',
        [known, `ROL||AD|FHCP|${doctor('4', 'Eze')}`],
        ['Riverside', 'Jo Abel', 'Jo Bakker', 'Jo Eze'],
      ],
      [
        'PD1-4 and the same doctor in ROL',
        [known, `ROL||AD|PP|${doctor('2', 'Bakker')}`],
        ['Riverside', 'Jo Abel', 'Jo Bakker'],
      ],
    ])('of which a message says %s', (_what, segments, expected) => {
      const store = new SmallStore()
      send(store, 'A28', patient, known)
      send(store, 'A31', patient, ...segments)
      const [person] = store.ofType<Patient>('Patient')
      expect(person?.generalPractitioner?.map(({ display }) => display)).toEqual(expected)
    })

    it('that somebody else wrote without their type', () => {
      const store = new SmallStore()
      send(store, 'A28', patient, known)
      const [url, person] = [...store.resources].find(([, one]) => one.resourceType === 'Patient') ?? ['', undefined]
      if (person?.resourceType !== 'Patient') throw new Error('the store has no patient')
      store.resources.set(url, { ...person, generalPractitioner: [{ reference: 'Practitioner/x' }] })
      send(store, 'A31', patient, pd1('', doctor('3', 'Cohen')))
      const [after] = store.ofType<Patient>('Patient')
      expect(after?.generalPractitioner?.map(({ display }) => display)).toEqual(['Jo Cohen'])
    })
  })

  it.each(['2^^^CENTRAL^MR~N9^^^NATID^NI', 'N9^^^NATID^NI~SS9^^^SOCIAL^SS~2^^^CENTRAL^MR', '2^^^CENTRAL^MR'])(
    'who stays after a merge keeps a number that both had: MRG-1 %s',
    (numbers) => {
      const store = new SmallStore()
      const survivor = 'PID|1||1^^^CENTRAL^MR~N9^^^NATID^NI||Diallo^Amina'
      send(store, 'A28', survivor)
      send(store, 'A28', 'PID|1||2^^^CENTRAL^MR||Diallo^Ami')
      send(store, 'A40', survivor, `MRG|${numbers}`)
      const [stays, goes, ...others] = store.ofType<Patient>('Patient')
      expect(others).toEqual([])
      expect(stays).toMatchObject({ active: true, link: [{ type: 'replaces' }] })
      expect(stays?.identifier?.map(({ value, use }) => [value, use])).toEqual([
        ['1', undefined],
        ['N9', undefined],
      ])
      expect(goes).toMatchObject({ active: false, link: [{ type: 'replaced-by' }] })
      expect(goes?.identifier).toContainEqual(expect.objectContaining({ value: '2', use: 'old' }))
      expect(goes?.identifier?.map(({ value }) => value)).not.toContain('N9')
    },
  )

  it('is merged, linked and unlinked', () => {
    const store = new SmallStore()
    send(store, 'A28', 'PID|1||2^^^CENTRAL^MR||Diallo^Ami')
    send(store, 'A24', patient, 'PID|2||2^^^CENTRAL^MR')
    expect(store.ofType<Patient>('Patient').map(({ link }) => link?.[0]?.type)).toEqual(['seealso', 'seealso'])
    send(store, 'A37', patient, 'PID|2||2^^^CENTRAL^MR')
    expect(store.ofType<Patient>('Patient').map(({ link }) => link)).toEqual([undefined, undefined])
    send(store, 'A40', patient, 'MRG|2^^^CENTRAL^MR')
    const [old, survivor] = store.ofType<Patient>('Patient')
    expect(old).toMatchObject({ active: false, link: [{ type: 'replaced-by' }] })
    expect(survivor).toMatchObject({ active: true, link: [{ type: 'replaces' }] })
    send(store, 'A08', 'PID|1||2^^^CENTRAL^MR||Diallo^Ami')
    expect(store.ofType<Patient>('Patient')[0]?.active).toBe(false)
  })
})

it.each(caseMessages())('a message that is applied twice leaves what it left once', (text) => {
  const store = new SmallStore()
  const mapping = mapInPasses(text)
  const apply = () => (mapping.refused === undefined ? store.apply(mapping) : undefined)
  apply()
  const once = structuredClone(Object.fromEntries(store.resources))
  apply()
  expect(Object.fromEntries(store.resources)).toEqual(once)
})
