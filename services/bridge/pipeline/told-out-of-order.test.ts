import { describe, expect, it } from 'vitest'
import type {
  AllergyIntolerance,
  Appointment,
  Coding,
  Composition,
  Condition,
  DiagnosticReport,
  DocumentReference,
  Encounter,
  Immunization,
  MedicationRequest,
  Observation,
  Patient,
  Procedure,
  Provenance,
  ServiceRequest,
  Slot,
} from '../../../packages/fhir/r4.ts'
import { patientsWord } from '../../../packages/fhir/patients-word.ts'
import { segment } from '../mapping/testing/segment.ts'
import { StagesWorld } from '../testing/stages-world.ts'
import type { ChannelId } from './channel.ts'

type Sent = readonly [channel: ChannelId, type: string, ...segments: string[]]

async function after(...messages: readonly Sent[]): Promise<StagesWorld> {
  const world = new StagesWorld()
  for (const message of messages) expect(await world.send(...message)).toMatchObject({ status: 'SUCCESS' })
  return world
}

/** Said in that second, whenever it comes. */
const at = (second: number, [channel, type, ...segments]: Sent): Sent => [
  ...([channel, type, `EVN||2026030410000${second}+0000`] as const),
  ...segments,
]

const person = (fields: Readonly<Record<number, string>> = {}) =>
  segment('PID', { 3: 'M1^^^CENTRAL^MR', 5: 'RAMGOOLAM^Amina', 7: '19800115', 8: 'F', ...fields })
const other = 'PID|1||M2^^^CENTRAL^MR||OKONKWO^Adaeze||19510213|F'
const visit = segment('PV1', { 2: 'I', 19: '1' })

describe('a person who was deleted (A29)', () => {
  const deleted: readonly Sent[] = [
    ['adt', 'ADT^A28', person()],
    ['adt', 'ADT^A29', person()],
  ]
  const isActive = (world: StagesWorld) => world.all<Patient>('Patient').map(({ active }) => active)

  it.each(['A01', 'A04', 'A05', 'A08', 'A28', 'A31'])('is in use again when they are told of: %s', async (trigger) => {
    expect(isActive(await after(...deleted, ['adt', `ADT^${trigger}`, person(), visit]))).toEqual([true])
  })

  it.each<[string, Sent]>([
    ['a discharge', ['adt', 'ADT^A03', person(), visit]],
    ['a result', ['oru', 'ORU^R01', person(), 'OBR|1||F1|K^Potassium^L', 'OBX|1|NM|K^Potassium^L||4']],
  ])('is not by a message that only mentions them: %s', async (_what, message) => {
    expect(isActive(await after(...deleted, message))).toEqual([false])
  })

  it('is not where they were merged into another', async () => {
    const world = await after(
      ['adt', 'ADT^A28', person()],
      ['adt', 'ADT^A28', other],
      ['adt', 'ADT^A40', other, 'MRG|M1^^^CENTRAL^MR'],
      ['adt', 'ADT^A01', person(), visit],
    )
    expect(isActive(world)).toEqual([false, true])
  })

  it('under a number that was merged into another’s leaves the other in use', async () => {
    const world = await after(
      ['adt', 'ADT^A28', person()],
      ['adt', 'ADT^A28', other],
      ['adt', 'ADT^A40', other, 'MRG|M1^^^CENTRAL^MR'],
      ['adt', 'ADT^A29', person()],
    )
    expect(isActive(world)).toEqual([false, true])
  })
})

describe('a death that is told with an event of the visit (A03)', () => {
  const died = { 29: '20260304093000+0000', 30: 'Y' }
  const dischargedAs = (fields: Readonly<Record<number, string>>): Sent => ['adt', 'ADT^A03', person(fields), visit]
  const known: Sent = ['adt', 'ADT^A01', person(), visit]
  const shown = (world: StagesWorld) =>
    world
      .all<Patient>('Patient')
      .map(({ name, deceasedDateTime, deceasedBoolean }) => [
        name?.[0]?.given?.[0],
        deceasedDateTime ?? deceasedBoolean,
      ])
  const roads = (world: StagesWorld) => world.all<Patient>('Patient')[0]?.address?.map(({ line }) => line?.[0])

  it.each(['A03', 'A02', 'A11', 'A23'])('is of the patient, of whom %s says nothing else', async (trigger) => {
    const told: Sent = ['adt', `ADT^${trigger}`, person({ 5: 'WRONG^NAME', 7: '1900', 11: '1 Road', ...died }), visit]
    const world = await after(known, told, told)
    expect(shown(world)).toEqual([['Amina', '2026-03-04T09:30:00+00:00']])
    expect(world.all<Patient>('Patient')).toMatchObject([{ birthDate: '1980-01-15', active: true }])
    expect(world.all<Patient>('Patient')[0]).not.toHaveProperty('address')
  })

  it.each([
    ['N', { 30: 'N' }, false],
    ['""', { 29: '""', 30: '""' }, undefined],
    ['nothing', {}, '2026-03-04T09:30:00+00:00'],
    ['Y', { 30: 'Y' }, '2026-03-04T09:30:00+00:00'],
  ])('is taken back or kept as by an update: %s', async (_what, fields, expected) => {
    expect(shown(await after(known, dischargedAs(died), dischargedAs(fields)))).toEqual([['Amina', expected]])
  })

  it('is of somebody whom nobody knew, with the rest', async () => {
    expect(shown(await after(dischargedAs(died)))).toEqual([['Amina', '2026-03-04T09:30:00+00:00']])
  })

  it('that comes late is added, unless somebody has taken it back since', async () => {
    const late = at(2, dischargedAs({ 5: 'WRONG^NAME', 11: '1 Road', ...died }))
    const updated = (fields: Readonly<Record<number, string>>) =>
      at(3, ['adt', 'ADT^A08', person({ 5: 'RAMGOOLAM^Amy', ...fields }), visit])
    const world = await after(at(1, known), updated({}), late)
    expect(shown(world)).toEqual([['Amy', '2026-03-04T09:30:00+00:00']])
    expect(world.all<Patient>('Patient')[0]).not.toHaveProperty('address')
    expect(shown(await after(at(1, known), updated({ 30: '""' }), late))).toEqual([['Amy', undefined]])
    expect(shown(await after(at(1, known), updated({ 30: 'N' }), late))).toEqual([['Amy', false]])
  })

  it('leaves what an older update says of the patient, and comes late, to be told', async () => {
    const moved = at(2, ['adt', 'ADT^A08', person({ 11: '2 New Road' }), visit])
    const living = at(1, ['adt', 'ADT^A01', person({ 11: '1 Road' }), visit])
    const world = await after(living, at(3, dischargedAs({ 30: 'N' })), moved)
    expect(roads(world)).toEqual(['2 New Road'])
    // What is told of the death itself is as old as what was last said of that.
    const [alive, dead] = [dischargedAs({ 30: 'N' }), dischargedAs(died)]
    const told = await after(living, at(3, alive), at(2, dead), moved, at(4, ['adt', 'ADT^A08', person(), visit]))
    expect(shown(told)).toEqual([['Amina', false]])
    await told.send(...at(5, ['adt', 'ADT^A08', person({ 30: 'Y' }), visit]))
    await told.send(...at(4, alive))
    expect(shown(told)).toEqual([['Amina', true]])
  })

  it('leaves the rest to an older update also where its Provenance alone tells that it came', async () => {
    const early = (minute: number, [channel, type, ...segments]: Sent): Sent => [
      ...([channel, type, `EVN||20260304080${minute}00+0000`] as const),
      ...segments,
    ]
    const living = early(1, ['adt', 'ADT^A01', person({ 11: '1 Road', 30: 'N' }), visit])
    const moved = early(3, ['adt', 'ADT^A08', person({ 11: '2 New Road', ...died }), visit])
    const world = await after(living, early(4, dischargedAs({ 30: 'N' })), moved)
    expect([roads(world), shown(world)]).toEqual([['2 New Road'], [['Amina', false]]])
  })

  it('is not taken back by an older message that comes late', async () => {
    const older = at(2, ['adt', 'ADT^A08', person({ 11: '1 Road', 30: 'N' }), visit])
    expect(shown(await after(at(1, known), at(3, dischargedAs(died)), older))).toEqual([
      ['Amina', '2026-03-04T09:30:00+00:00'],
    ])
  })
})

it('a message that only mentions a patient tells nothing of them that their hospital took back', async () => {
  const world = await after(
    ['adt', 'ADT^A28', person({ 11: '1 Road', 30: 'Y' })],
    ['adt', 'ADT^A31', person({ 11: '""', 30: '""' })],
  )
  const [before] = world.all<Patient>('Patient')
  expect(before?.deceasedBoolean).toBeUndefined()
  await world.send(
    ...(['oru', 'ORU^R01', person({ 11: '1 Road', 30: 'Y' })] as const),
    ...['OBR|1||F1|K^Potassium^L', 'OBX|1|NM|K^Potassium^L||4'],
  )
  expect(world.all<Patient>('Patient')).toEqual([before])
})

describe('what happened to a visit, and comes after something newer that spoke of something else', () => {
  const event = (trigger: string, fields: Readonly<Record<number, string>> = {}, pid = person()): Sent => [
    ...(['adt', `ADT^${trigger}`, pid, segment('PV1', { 2: 'I', 19: '1', ...fields })] as const),
  ]
  const admitted = at(1, event('A01', { 3: '3W', 14: '7' }))
  /** The address alone is new. */
  const updated = (second: number, fields = {}) => at(second, event('A08', { 38: 'VEGAN', ...fields }))
  const shown = (world: StagesWorld) =>
    world
      .all<Encounter>('Encounter')
      .map(({ status, period, location = [] }) =>
        [status, period?.end?.slice(17, 19), ...location.map((one) => `${one.location.display} ${one.status}`)].join(
          ' ',
        ),
      )

  it.each<[string, Sent, string]>([
    ['a discharge', event('A03', { 36: 'HOME', 45: '20260304100003+0000' }), 'finished 03 3W completed'],
    ['a discharge without its time', event('A03'), 'finished 03 3W completed'],
    ['an admission that was none', event('A11'), 'cancelled  3W completed'],
    ['a leave', event('A21'), 'onleave  3W active'],
    ['a transfer', event('A02', { 3: 'ICU' }), 'in-progress  3W completed ICU active'],
    ['a transfer that was none', event('A12', { 3: '5E' }), 'in-progress  5E active'],
    ['another class', event('A07', { 2: 'O' }), 'in-progress  3W active'],
  ])('has happened: %s', async (_what, message, expected) => {
    const world = await after(admitted, updated(4), at(3, message))
    expect(shown(world)).toEqual([expected])
    const [before] = world.all<Encounter>('Encounter')
    await world.send(...at(3, message))
    expect(world.all<Encounter>('Encounter')).toEqual([before])
    expect(before?.hospitalization?.dietPreference?.[0]?.coding?.[0]?.code).toBe('VEGAN')
  })

  it('goes where the patient went, unless something newer said where that is', async () => {
    const transfer = at(3, event('A02', { 3: 'ICU' }))
    expect(shown(await after(admitted, updated(4, { 3: '5E' }), transfer))).toEqual([
      'in-progress  3W completed 5E active',
    ])
    const told = await after(admitted, updated(5), transfer, at(2, event('A02', { 3: '5E' })))
    expect(shown(told)).toEqual(['in-progress  3W completed ICU active'])
  })

  it('says where somebody goes to, and a discharge that was taken back is none', async () => {
    const discharge = event('A03', { 36: 'HOME', 37: 'REHAB', 45: '20260304100003+0000' })
    const world = await after(admitted, updated(5), at(3, discharge))
    expect(world.all<Encounter>('Encounter')[0]?.hospitalization).toMatchObject({
      admitSource: {},
      ...{ dischargeDisposition: {}, destination: {}, dietPreference: [{}] },
    })
    await world.send(...at(4, event('A13', { 3: '3W' })))
    expect(shown(world)).toEqual(['in-progress  3W active'])
    expect(world.all<Encounter>('Encounter')[0]?.hospitalization).not.toHaveProperty('destination')
    await world.send(...at(3, discharge))
    expect(shown(world)).toEqual(['in-progress  3W active'])
  })

  it('did not where something that was said later has the word, whenever that came', async () => {
    const left = at(2, event('A21'))
    const returned = at(4, event('A22', { 3: '3W' }))
    const cancelled = at(3, event('A11'))
    for (const messages of [
      [returned, updated(5), cancelled],
      [updated(5), returned, cancelled],
      [cancelled, updated(5), returned],
    ])
      expect(shown(await after(admitted, left, ...messages))).toEqual(['in-progress  3W active'])
  })

  it('is what it says where the newer message was the first of the visit', async () => {
    const planned = at(2, event('A05', { 3: '3W' }))
    expect(shown(await after(updated(4), planned))).toEqual(['planned  3W planned'])
    expect(shown(await after(updated(4, { 45: '20260304100003+0000' }), planned))).toEqual(['finished 03 3W planned'])
  })

  it('is left to what was said in the same second, and what has no time of day says nothing of order', async () => {
    const world = await after(admitted, at(3, event('A21')), updated(5), at(3, event('A11')))
    expect(shown(world)).toEqual(['onleave  3W active'])
    const day = [
      ...(['adt', 'ADT^A21', 'EVN||20260303', person()] as const),
      segment('PV1', { 2: 'I', 19: '1' }),
    ] as const
    expect(shown(await after(admitted, updated(5), day))).toEqual(['onleave  3W active'])
  })

  it('is told by its Provenance, where the newer message changed nothing', async () => {
    const early = (minute: number, [channel, type, ...segments]: Sent): Sent => [
      ...([channel, type, `EVN||20260304080${minute}00+0000`] as const),
      ...segments,
    ]
    const [first, leave] = [early(1, event('A01', { 3: '3W' })), early(3, event('A21'))]
    const world = await after(first, early(4, event('A08', { 3: '3W' })), leave)
    expect(shown(world)).toEqual(['onleave  3W active'])
    expect(shown(await after(first, early(4, event('A10', { 3: '3W' })), leave))).toEqual(['in-progress  3W active'])
  })

  it('is not told by a Provenance that a patient has written', async () => {
    const early = (minute: number, trigger: string): Sent => [
      ...(['adt', `ADT^${trigger}`, `EVN||20260304080${minute}00+0000`, person()] as const),
      segment('PV1', { 2: 'I', 3: '3W', 19: '1' }),
    ]
    const shownAfter = async (security: Coding[]) => {
      const world = await after(early(1, 'A01'))
      const [admission] = world.all<Provenance>('Provenance')
      if (admission === undefined) throw new Error('the admission has no Provenance')
      await world.store.update({
        ...{ ...admission, id: 'other', meta: { ...admission.meta, security } },
        ...{ recorded: '2026-03-04T08:04:00Z', activity: { coding: [{ code: 'A10' }] } },
      })
      await world.send(...early(3, 'A21'))
      return shown(world)
    }
    expect(await shownAfter([])).toEqual(['in-progress  3W active'])
    expect(await shownAfter([patientsWord])).toEqual(['onleave  3W active'])
  })

  it('does not begin after its end', async () => {
    const admission = at(1, event('A01', { 44: '20260305080000+0000' }))
    const [visited] = (await after(at(3, event('A03', { 45: '20260304100003+0000' })), admission)).all<Encounter>(
      'Encounter',
    )
    expect(visited?.period).toEqual({ end: '2026-03-04T10:00:03+00:00' })
  })

  it('and what is known of its times and its stay is joined part by part', async () => {
    const discharge = at(3, event('A03', { 36: 'HOME', 45: '20260304100003+0000' }))
    const [visited] = (
      await after(
        discharge,
        at(1, event('A01', { 3: '3W', 14: '7', 44: '20260304080000+0000', 45: '20260304090000+0000' })),
      )
    ).all<Encounter>('Encounter')
    expect(visited).toMatchObject({
      status: 'finished',
      period: { start: '2026-03-04T08:00:00+00:00', end: '2026-03-04T10:00:03+00:00' },
      hospitalization: {
        admitSource: { coding: [{ code: '7' }] },
        dischargeDisposition: { coding: [{ code: 'HOME' }] },
      },
    })
  })
})

const report = (status: string, ...obx: readonly string[]): Sent => [
  ...(['oru', 'ORU^R01', 'ORC|RE|P1|F1'] as const),
  segment('OBR', { 2: 'P1', 3: 'F1', 4: 'CBC^Blood count^L', 7: '20260304', 25: status }),
  ...obx,
]
const result = (value: string, fields: Readonly<Record<number, string>> = {}) =>
  segment('OBX', { 2: 'NM', 3: 'HB^Haemoglobin^L', 5: value, 6: 'g/dL', 8: 'LL', 11: 'F', ...fields })
const file = 'OBX|2|ED|PDF^Report^L||^application^pdf^Base64^JVBERi0xLjQK||||||F'

/** The patient moves house, which says nothing of what else is told of them. */
const moved: Sent = ['adt', 'ADT^A31', person({ 11: '1 Road' })]

describe('a report that is cancelled (OBR-25 X)', () => {
  const results = (world: StagesWorld) => world.all<Observation>('Observation')

  it('cancels its results and their files, which it does not name', async () => {
    const world = await after(report('F', result('6'), file), report('X'))
    expect(results(world)).toHaveLength(2)
    for (const one of results(world)) {
      expect(one).toMatchObject({ status: 'cancelled', dataAbsentReason: { coding: [{ code: 'unknown' }] } })
      for (const gone of ['valueQuantity', 'interpretation', 'derivedFrom']) expect(one).not.toHaveProperty(gone)
    }
    const [cancelled] = world.all<DiagnosticReport>('DiagnosticReport')
    expect(cancelled).toMatchObject({ status: 'cancelled', result: [{}, {}] })
    expect(cancelled).not.toHaveProperty('presentedForm')
    expect(world.all<DocumentReference>('DocumentReference').map(({ status }) => status)).toEqual(['superseded'])
    expect(world.all<ServiceRequest>('ServiceRequest').map(({ status }) => status)).toEqual(['revoked'])
  })

  it('has results again when they are told again, and leaves those that it tells', async () => {
    const again = await after(report('F', result('6')), report('X'), report('C', result('13', { 8: '', 11: 'C' })))
    expect(results(again)).toMatchObject([{ status: 'corrected', valueQuantity: { value: 13 } }])
    expect(results(again)[0]).not.toHaveProperty('dataAbsentReason')
    const told = await after(report('F', result('6')), report('X', result('6')))
    expect(results(told)).toMatchObject([{ status: 'final', valueQuantity: { value: 6 } }])
  })

  it('before its results came cancels those too, and has no file', async () => {
    const world = await after(at(5, report('X')), at(1, report('F', result('6'), file)))
    expect(results(world)).toMatchObject([{ status: 'cancelled' }, { status: 'cancelled' }])
    for (const one of results(world)) expect(one).not.toHaveProperty('valueQuantity')
    expect(world.all<DiagnosticReport>('DiagnosticReport')).toMatchObject([{ status: 'cancelled', result: [{}, {}] }])
    expect(world.all<DiagnosticReport>('DiagnosticReport')[0]).not.toHaveProperty('presentedForm')
    expect(world.all('DocumentReference')).toEqual([])
    expect(JSON.stringify(world.all('Provenance'))).not.toContain('urn:uuid')
  })

  it('cancels them also where nothing else of theirs was told of since, and where there are none', async () => {
    const bare = (status: string, ...obx: readonly string[]): Sent => [
      ...(['oru', 'ORU^R01'] as const),
      ...[segment('OBR', { 3: 'F1', 4: 'CBC^Blood count^L', 7: '20260304', 25: status }), ...obx],
    ]
    const world = await after(at(1, ['adt', 'ADT^A28', person()]), at(5, bare('X')), at(3, bare('F', result('6'))))
    expect(results(world)).toMatchObject([{ status: 'cancelled' }])
    expect(results(await after(at(5, bare('X')), at(3, bare('F'))))).toEqual([])
  })

  it('stays cancelled when a result comes late, and cancels none that was told later', async () => {
    const late = await after(
      ...[at(1, report('F', result('6'))), at(5, report('X'))],
      at(3, report('C', result('7', { 11: 'C' }))),
    )
    expect(results(late)).toMatchObject([{ status: 'cancelled' }])
    expect(results(late)[0]).not.toHaveProperty('valueQuantity')
    const later = await after(...[at(1, report('F', result('6'))), at(5, report('F', result('7')))], at(3, report('X')))
    expect(results(later)).toMatchObject([{ status: 'final', valueQuantity: { value: 7 } }])
  })

  it('and told again has further results, although their patient was told of since', async () => {
    const further = report('C', result('5', { 3: 'WBC^White cells^L' }))
    const world = await after(at(1, report('F', result('6'))), at(2, report('X')), at(9, moved), at(5, further))
    expect(results(world)).toMatchObject([{ status: 'cancelled' }, { status: 'final', valueQuantity: { value: 5 } }])
  })
})

it('the file of a result that was taken back is there when it is told again, although its patient was told of since', async () => {
  const mistake = report('F', 'OBX|2|ED|PDF^Report^L||||||||D')
  const world = await after(at(2, mistake), at(9, moved), at(5, report('F', file)))
  expect(world.all<Observation>('Observation').map(({ status }) => status)).toEqual(['final'])
  expect(world.all<DocumentReference>('DocumentReference').map(({ status }) => status)).toEqual(['current'])
})

it('a report answers the order that an older message names, which is there', async () => {
  const order: Sent = ['orm', 'ORM^O01', 'ORC|NW|P1', 'OBR|1|P1||CBC^Blood count^L']
  const bare = segment('OBR', { 3: 'F1', 4: 'CBC^Blood count^L', 7: '20260304', 25: 'F' })
  const world = await after(at(1, order), at(5, ['oru', 'ORU^R01', bare, result('6')]), at(3, report('F', result('6'))))
  const [first] = world.all<ServiceRequest>('ServiceRequest')
  const [told] = world.all<DiagnosticReport>('DiagnosticReport')
  expect(told?.basedOn?.map(({ reference }) => reference)).toContain(`ServiceRequest/${first?.id}`)
})

it('a report keeps its files, and a panel its parts, when an older message brings more of them', async () => {
  const scan = 'OBX|3|ED|SCAN^Picture^L||^application^pdf^Base64^JVBERi0xLjQK||||||F'
  const filed = await after(at(5, report('F', file)), at(3, report('F', scan)))
  expect(filed.all<DiagnosticReport>('DiagnosticReport')).toMatchObject([{ result: [{}, {}], presentedForm: [{}, {}] }])
  expect(filed.all<Observation>('Observation').map(({ status }) => status)).toEqual(['final', 'final'])
  const part = (subId: string) => result('6', { 3: `P${subId}^Part^L`, 4: subId })
  const panel = await after(
    at(5, report('F', part('1'), part('1.1'))),
    at(3, report('F', part('1'), part('1.1'), part('1.2'))),
  )
  expect(panel.all<Observation>('Observation').map(({ hasMember }) => hasMember?.length)).toEqual([
    ...[2, undefined, undefined],
  ])
})

describe('a document that was replaced (T10)', () => {
  const document = (number: string, fields: Readonly<Record<number, string>> = {}) => [
    segment('TXA', { 2: 'DS^Summary', 3: 'FT', 6: '20260304100000', 12: `${number}^TRANS`, 17: 'AU', ...fields }),
    'OBX|1|TX|11493-4^Course^LN||words',
  ]
  const original: Sent = ['mdm', 'MDM^T02', ...document('D1', { 19: 'AV' })]
  const replacement: Sent = ['mdm', 'MDM^T10', ...document('D2', { 13: 'D1^TRANS' })]
  const statuses = (world: StagesWorld) =>
    Object.fromEntries(
      world
        .all<DocumentReference>('DocumentReference')
        .map(({ masterIdentifier, status }) => [masterIdentifier?.value, status]),
    )

  it.each<[string, readonly Sent[]]>([
    ['in order', [original, replacement]],
    ['before it came', [replacement, original]],
    ['and is told of again', [original, replacement, original]],
    ['and is edited', [original, replacement, ['mdm', 'MDM^T08', ...document('D1', { 19: 'AV' })]]],
  ])('%s is superseded', async (_how, messages) => {
    expect(statuses(await after(...messages))).toEqual({ D1: 'superseded', D2: 'current' })
  })

  it('is so in a row of them, whichever comes first', async () => {
    const last: Sent = ['mdm', 'MDM^T10', ...document('D3', { 13: 'D2^TRANS' })]
    const all = { D1: 'superseded', D2: 'superseded', D3: 'current' }
    expect(statuses(await after(last, replacement, original))).toEqual(all)
    expect(statuses(await after(original, last, replacement))).toEqual(all)
  })

  const withdrawn: Sent = ['mdm', 'MDM^T11', ...document('D2').slice(0, 1)]
  const told: Sent = ['mdm', 'MDM^T02', ...document('D2')]

  it.each<[string, readonly Sent[], string, string]>([
    ['is withdrawn', [withdrawn], 'current', 'entered-in-error'],
    ['is withdrawn twice', [withdrawn, withdrawn], 'current', 'entered-in-error'],
    ['is withdrawn and told again', [withdrawn, told], 'superseded', 'current'],
    ['is withdrawn, told again and withdrawn', [withdrawn, told, withdrawn], 'current', 'entered-in-error'],
    ['is withdrawn by somebody else', [['mdm', 'MDM^T11', other, withdrawn[2] ?? '']], 'superseded', 'current'],
  ])('is what it is when its replacement %s', async (_what, messages, first, second) => {
    expect(statuses(await after(original, replacement, ...messages))).toEqual({ D1: first, D2: second })
  })

  it('stays superseded where another has replaced it too, or has replaced its replacement, or it is obsolete', async () => {
    const gone = 'entered-in-error'
    const also: Sent = ['mdm', 'MDM^T10', ...document('D3', { 13: 'D1^TRANS' })]
    const both = await after(original, replacement, also, withdrawn)
    expect(statuses(both)).toEqual({ D1: 'superseded', D2: gone, D3: 'current' })
    const next: Sent = ['mdm', 'MDM^T10', ...document('D3', { 13: 'D2^TRANS' })]
    const row = await after(original, replacement, next, withdrawn)
    expect(statuses(row)).toEqual({ D1: 'superseded', D2: gone, D3: 'current' })
    const obsolete: Sent = ['mdm', 'MDM^T03', ...document('D1', { 19: 'OB' }).slice(0, 1)]
    const stated = await after(original, obsolete, replacement, withdrawn)
    expect(statuses(stated)).toEqual({ D1: 'superseded', D2: gone })
  })

  it('is current where the replacement was withdrawn, is another patient’s, or is the document itself', async () => {
    expect(statuses(await after(replacement, withdrawn, original))).toMatchObject({ D1: 'current' })
    const ofOther: Sent = ['mdm', 'MDM^T10', other, ...document('D2', { 13: 'D1^TRANS' })]
    expect(statuses(await after(ofOther, original))).toEqual({ D1: 'current', D2: 'current' })
    const itself: Sent = ['mdm', 'MDM^T10', ...document('D1', { 13: 'D1^TRANS' })]
    expect(statuses(await after(original, itself, original))).toEqual({ D1: 'current' })
    const back: Sent = ['mdm', 'MDM^T10', ...document('D1', { 13: 'D2^TRANS', 19: 'AV' })]
    expect(statuses(await after(original, replacement, back))).toEqual({ D1: 'current', D2: 'superseded' })
  })
})

describe('an addendum (T06) that names no other document', () => {
  const document = (trigger: string, number: string, words: string, parent = ''): Sent => [
    ...(['mdm', `MDM^${trigger}`] as const),
    segment('TXA', { 2: 'DS^Summary', 3: 'FT', 6: '20260304100000', 12: number, 13: parent, 17: 'AU' }),
    `OBX|1|TX|11493-4^Course^LN||${words}`,
  ]
  const texts = (world: StagesWorld) =>
    world
      .all<DocumentReference>('DocumentReference')
      .map(({ masterIdentifier, content, relatesTo = [] }) => [
        masterIdentifier?.value,
        Buffer.from(content[0]?.attachment.data ?? '', 'base64').toString(),
        ...relatesTo.map(({ code, target }) => `${code} ${target.identifier?.value}`),
      ])
  const original = document('T02', 'D1', 'the letter')

  it.each(['', 'D1'])('and has the number of its original leaves that as it is: TXA-13 %j', async (parent) => {
    const added = document('T06', 'D1', 'one word more', parent)
    const world = await after(original, added, added, document('T06', 'D1', 'two words more', parent))
    expect(texts(world)).toEqual([
      ['D1', 'the letter'],
      [undefined, 'one word more', 'appends D1'],
      [undefined, 'two words more', 'appends D1'],
    ])
    expect(JSON.stringify(world.all<Composition>('Composition').map(({ section }) => section))).toMatch(
      /the letter.*one word more.*two words more/,
    )
    await world.send(...document('T08', 'D1', 'another letter'))
    expect(texts(world)[0]).toEqual(['D1', 'another letter'])
  })

  it('and has a number of its own is found by that', async () => {
    const added = document('T06', 'D2', 'one word more')
    const world = await after(original, added, added, document('T08', 'D2', 'one word less'))
    expect(texts(world)).toEqual([
      ['D1', 'the letter'],
      ['D2', 'one word less'],
    ])
  })
})

it('texts of two times (OBX-14) are two results, and the lines of one are one', async () => {
  const line = (text: string, time: string) =>
    segment('OBX', { 2: 'TX', 3: 'N^Note^L', 5: text, 11: 'F', 14: time && `20260304${time}00` })
  const world = await after(report('F', line('slept', '08'), line('well', ''), line('awake', '12'), line('fed', '12')))
  expect(world.all<Observation>('Observation').map(({ valueString }) => valueString)).toEqual([
    ...['slept\nwell', 'awake\nfed'],
  ])
})

describe('a result that is told without OBX-21 and OBX-4 first', () => {
  const values = (world: StagesWorld) =>
    world.all<Observation>('Observation').map(({ valueQuantity, status }) => `${valueQuantity?.value} ${status}`)
  const corrected = (value: string, fields: Readonly<Record<number, string>>) => result(value, { 11: 'C', ...fields })

  it.each([{ 21: 'N1^LAB' }, { 21: 'N1' }, { 4: '1' }, { 4: '1', 21: 'N1^LAB' }])(
    'is the one that later messages tell with %j, and the one without',
    async (fields) => {
      const first = await after(report('F', result('6')), report('C', corrected('12', fields)))
      expect(values(first)).toEqual(['12 corrected'])
      expect(first.all<DiagnosticReport>('DiagnosticReport')[0]?.result).toHaveLength(1)
      for (const again of [corrected('13', fields), corrected('13', {})]) await first.send(...report('C', again))
      expect(values(first)).toEqual(['13 corrected'])
    },
  )

  it.each([
    ['202603040830', '20260304083000', 'with its seconds'],
    ['202603040830', '20260304123000+0400', 'with an offset'],
    ['20260304', '202603040830', 'more exactly'],
  ])('of %s is the one that is told of %s, %s', async (first, second) => {
    const world = await after(
      report('F', result('6', { 14: first })),
      report('C', corrected('12', { 14: second, 21: 'N1^LAB' })),
    )
    expect(values(world)).toEqual(['12 corrected'])
  })

  it('is taken back by the message that has its number', async () => {
    const world = await after(report('F', result('6')), report('F', result('', { 11: 'W', 21: 'N1^LAB' })))
    expect(values(world)).toEqual(['6 entered-in-error'])
  })

  it.each<[string, readonly string[]]>([
    ['two of its code', [corrected('12', { 21: 'N1^LAB' }), corrected('13', { 21: 'N2^LAB' })]],
    ['two of its code by OBX-4', [corrected('12', { 4: '1' }), corrected('13', { 4: '2' })]],
    ['the second of its code', [corrected('12', { 4: '2' })]],
    ['one of another time', [corrected('12', { 14: '20260305', 21: 'N1^LAB' })]],
  ])('stays as it is where the later message has %s', async (_what, obx) => {
    const world = await after(report('F', result('6')), report('C', ...obx))
    expect(values(world)[0]).toBe('6 final')
    expect(values(world)).toHaveLength(1 + obx.length)
  })

  it('and then got a number is not the one that has another', async () => {
    const numbered = (value: string, number: string) => report('F', result(value, { 21: `${number}^LAB` }))
    const world = await after(report('F', result('6')), numbered('12', 'N1'), numbered('13', 'N2'))
    expect(values(world)).toEqual(['12 final', '13 final'])
  })

  it('as a blood pressure is one panel', async () => {
    const half = (code: string, value: string, subId: string) =>
      segment('OBX', { 2: 'NM', 3: `${code}^Pressure^LN`, 4: subId, 5: value, 11: 'F' })
    const both = (systolic: string, diastolic: string, subId = '') =>
      report('F', half('8480-6', systolic, subId), half('8462-4', diastolic, subId))
    const world = await after(both('120', '80'), both('130', '85', '1'))
    const [panel, ...others] = world.all<Observation>('Observation')
    expect(panel?.component?.map(({ valueQuantity }) => valueQuantity?.value)).toEqual([130, 85])
    expect(others).toEqual([])
  })
})

describe('an appointment that was moved or called off', () => {
  const booking = (trigger: string, day: string, reason = 'CHECK'): Sent => [
    ...(['siu', `SIU^${trigger}`, `SCH||A1^S|||||${reason}^Visit^L|NORMAL|30|MIN|^^30^${day}090000`] as const),
    ...['RGS|1', 'AIP|1||1234^SMITH^JOHN'],
  ]
  const slots = (world: StagesWorld) =>
    world.all<Slot>('Slot').map(({ start, status }) => `${start.slice(0, 10)} ${status}`)

  it.each<[string, Sent, readonly string[]]>([
    ['called off', booking('S15', '20260310'), []],
    ['moved', booking('S13', '20260311'), ['2026-03-11 busy']],
  ])('before its booking came takes no slot by that: %s', async (_what, change, expected) => {
    const world = await after(at(5, change), at(1, booking('S12', '20260310')))
    expect(slots(world)).toEqual(expected)
    expect(world.all<Appointment>('Appointment').map(({ slot = [] }) => slot.length)).toEqual([expected.length])
    // What is told of the message names the slot, too, and would not be taken with a reference to nothing.
    expect(JSON.stringify(world.all('Provenance'))).not.toContain('urn:uuid')
  })

  it('takes its slot where nothing but its patient was told of since', async () => {
    expect(slots(await after(at(5, moved), at(1, booking('S12', '20260310'))))).toEqual(['2026-03-10 busy'])
  })

  it('keeps its slot where an older message has it elsewhere', async () => {
    const world = await after(
      ...[at(1, booking('S12', '20260310')), at(5, booking('S14', '20260310', 'OTHER'))],
      at(3, booking('S13', '20260311')),
    )
    expect(slots(world)).toEqual(['2026-03-10 busy'])
  })
})

it('a visit that became another patient’s (A45) keeps its diagnoses when an older message comes', async () => {
  const diagnoses = (...codes: readonly string[]) =>
    codes.map((code, index) => `DG1|${index + 1}||${code}^Diagnosis^I10`)
  const world = await after(
    at(1, ['adt', 'ADT^A01', person(), visit, ...diagnoses('J18.9')]),
    at(2, ['adt', 'ADT^A28', other]),
    at(5, ['adt', 'ADT^A45', other, 'MRG|M1^^^CENTRAL^MR||||1', visit]),
    at(3, ['adt', 'ADT^A08', person(), visit, ...diagnoses('J18.9', 'I10')]),
  )
  const [was, is] = world.all<Patient>('Patient').map(({ id }) => `Patient/${id}`)
  const [encounter] = world.all<Encounter>('Encounter')
  expect(encounter?.subject?.reference).toBe(is)
  expect(world.all<Condition>('Condition').map((one) => [one.subject.reference, one.encounter?.reference])).toEqual([
    [is, `Encounter/${encounter?.id}`],
    [was, undefined],
  ])
})

it('what was observed of a dose is taken back with it (RXA-21 D), and told again with it', async () => {
  const dose = (action: string, ...obx: readonly string[]): Sent => [
    ...(['adt', 'VXU^V04', 'ORC|RE||I-1^REG'] as const),
    segment('RXA', { 1: '0', 2: '1', 3: '20260304', 5: '08^HepB^CVX', 6: '0.5', 20: 'CP', 21: action }),
    ...obx,
  ]
  const reaction = 'OBX|1|CE|31044-1^Reaction^LN|1|VXC9^fever^CDCPHINVS||||||F'
  const statuses = (world: StagesWorld) => [
    ...world.all<Immunization>('Immunization').map(({ status }) => status),
    ...world.all<Observation>('Observation').map(({ status }) => status),
  ]
  const world = await after(dose('A', reaction), dose('D'))
  expect(statuses(world)).toEqual(['entered-in-error', 'entered-in-error'])
  await world.send(...dose('A', reaction))
  expect(statuses(world)).toEqual(['completed', 'final'])
  await world.send(...dose('D', reaction))
  expect(statuses(world)).toEqual(['entered-in-error', 'entered-in-error'])
})

describe('a dose that is told without a number first', () => {
  const dose = (number: string, fields: Readonly<Record<number, string>> = {}) => [
    ...(number === '' ? [] : [`ORC|RE||${number}`]),
    segment('RXA', { 1: '0', 2: '1', 3: '20260304', 5: '08^HepB^CVX', 6: '1', 20: 'CP', ...fields }),
  ]
  const told = (...segments: readonly string[]): Sent => ['adt', 'VXU^V04', ...segments]
  const statuses = (world: StagesWorld) => world.all<Immunization>('Immunization').map(({ status }) => status)

  it('is the one that has a number later, and is taken back by either', async () => {
    const once: readonly Sent[] = [told(...dose('')), told(...dose('D1', { 21: 'U' }))]
    expect(statuses(await after(...once))).toEqual(['completed'])
    for (const number of ['D1', ''])
      expect(statuses(await after(...once, told(...dose(number, { 21: 'D' }))))).toEqual(['entered-in-error'])
  })

  it.each<[string, readonly string[]]>([
    ['of another day', dose('D1', { 3: '20260305' })],
    ['of another vaccine', dose('D1', { 5: '20^DTaP^CVX' })],
    ['and another dose of that day', [...dose('D1'), ...dose('D2')]],
  ])('is not the one %s', async (_what, segments) => {
    const world = await after(told(...dose('')), told(...segments))
    expect(statuses(world).length).toBe(1 + segments.length / 2)
  })
})

describe('what is taken back before it came', () => {
  const dose = (action: string): Sent => [
    ...(['adt', 'VXU^V04', 'ORC|RE||D1'] as const),
    segment('RXA', { 1: '0', 2: '1', 3: '20260304', 5: '08^HepB^CVX', 6: '1', 20: 'CP', 21: action }),
  ]
  const document = (trigger: string): Sent => [
    ...(['mdm', `MDM^${trigger}`] as const),
    segment('TXA', { 2: 'DS^Summary', 3: 'FT', 6: '20260304100000', 12: 'D1^TRANS', 17: 'AU', 19: 'AV' }),
    ...(trigger === 'T11' ? [] : ['OBX|1|TX|11493-4^Course^LN||words']),
  ]
  const told = (...segments: readonly string[]): Sent => ['adt', 'ADT^A08', person(), visit, ...segments]
  const drug = 'RXE|^^^20260304|A^Aspirin^L|1||mg'
  const taken = (world: StagesWorld) => {
    const statuses = (type: Parameters<typeof world.all>[0]) =>
      world.all<Procedure>(type as 'Procedure').map(({ status }) => status)
    const verified = (type: 'Condition' | 'AllergyIntolerance') =>
      world
        .all<AllergyIntolerance>(type as 'AllergyIntolerance')
        .map((one) => one.verificationStatus?.coding?.[0]?.code)
    const types = ['Encounter', 'Immunization', 'DocumentReference', 'Composition', 'Observation', 'Procedure'] as const
    return [...types, 'MedicationRequest' as const]
      .flatMap(statuses)
      .concat(verified('Condition') as never, verified('AllergyIntolerance') as never)
      .filter((status) => status !== 'in-progress')
  }

  it.each<[string, Sent, Sent]>([
    ['a dose (RXA-21 D)', dose('D'), dose('A')],
    ['a document and its text (T11)', document('T11'), document('T02')],
    ['a visit (A23)', ['adt', 'ADT^A23', person(), visit], ['adt', 'ADT^A01', person(), visit]],
    ['a result (OBX-11 D)', report('F', result('', { 11: 'D' })), report('F', result('6'))],
    ['a file (OBX-11 D)', report('F', 'OBX|2|ED|PDF^Report^L||||||||D'), report('F', file)],
    ['a diagnosis (DG1-21 D)', told(segment('DG1', { 3: 'J18.9^P^I10', 21: 'D' })), told('DG1|1||J18.9^P^I10')],
    [
      'a procedure (PR1-20 D)',
      told(segment('PR1', { 3: '1^Bypass^L', 5: '20260303', 20: 'D' })),
      told('PR1|1||1^Bypass^L||20260303'),
    ],
    ['an allergy (IAM-6 D)', told('IAM|1|DA|PCN^Penicillin^L|||D'), told('IAM|1|DA|PCN^Penicillin^L|||A')],
  ])('stays so when it comes late: %s', async (_what, takenBack, original) => {
    const world = await after(at(5, takenBack), at(1, original))
    expect(new Set(taken(world))).toEqual(new Set(['entered-in-error']))
    for (const { result: results = [] } of world.all<DiagnosticReport>('DiagnosticReport')) expect(results).toEqual([])
    for (const { diagnosis = [] } of world.all<Encounter>('Encounter')) expect(diagnosis).toEqual([])
    // Told again later, it holds again.
    await world.send(...at(9, original))
    expect(taken(world)).not.toContain('entered-in-error')
  })

  it('is none of what was only told of first, as a document without its text', async () => {
    const [channel, , txa = ''] = document('T11')
    const world = await after(at(5, [channel, 'MDM^T01', txa]), at(1, document('T02')))
    expect(world.all<Composition>('Composition').map(({ status }) => status)).toEqual(['final'])
  })

  it('as a prescription that was called off by its number alone has its drug then', async () => {
    const cancelled: Sent = ['rde', 'RDE^O11', 'ORC|CA|9']
    const world = await after(at(5, cancelled), at(1, ['rde', 'RDE^O11', 'ORC|NW|9', drug]))
    expect(world.all<MedicationRequest>('MedicationRequest')).toMatchObject([
      { status: 'cancelled', medicationCodeableConcept: { text: 'Aspirin' } },
    ])
    // One that only asks for something makes nothing.
    expect((await after(['rde', 'RDE^O11', 'ORC|XO|9|||IP'])).all('MedicationRequest')).toEqual([])
  })

  it('under a number of another patient is nothing', async () => {
    const ofOther = ([channel, type, ...segments]: Sent): Sent => [channel, type, other, ...segments]
    const world = await after(document('T02'))
    const before = [world.all('DocumentReference'), world.all<Composition>('Composition')]
    expect(await world.send(...ofOther(document('T11')))).toMatchObject({ warnings: { 'shared-number': 1 } })
    expect([world.all('DocumentReference'), world.all<Composition>('Composition')]).toEqual(before)
  })
})

describe('results of one code that only their time tells apart', () => {
  const of = (hour: string, value: string, fields: Readonly<Record<number, string>> = {}) =>
    segment('OBX', { 2: 'NM', 3: 'GLU^Glucose^L', 5: value, 11: 'F', 14: `20260304${hour}00`, ...fields })
  const curve = report('F', of('08', '100'), of('12', '180'))
  const values = (world: StagesWorld) =>
    world
      .all<Observation>('Observation')
      .map(
        ({ effectiveDateTime, valueQuantity, status }) =>
          `${effectiveDateTime?.slice(11, 13)} ${valueQuantity?.value} ${status}`,
      )

  it.each<[string, Sent, readonly string[]]>([
    ['the second alone', report('C', of('12', '190', { 11: 'C' })), ['08 100 final', '12 190 corrected']],
    ['the first alone', report('C', of('08', '90', { 11: 'C' })), ['08 90 corrected', '12 180 final']],
    [
      'both from the end',
      report('C', of('12', '190', { 11: 'C' }), of('08', '100')),
      ['08 100 final', '12 190 corrected'],
    ],
    [
      'the second and a third',
      report('F', of('12', '180'), of('16', '120')),
      ['08 100 final', '12 180 final', '16 120 final'],
    ],
    [
      'that the second is a mistake',
      report('C', of('12', '', { 11: 'W' })),
      ['08 100 final', '12 180 entered-in-error'],
    ],
    [
      'the second alone, to the second and with its offset',
      report('C', of('12', '190', { 11: 'C', 14: '20260304120000+0000' })),
      ['08 100 final', '12 190 corrected'],
    ],
    [
      'the first alone, to the second',
      report('C', of('08', '90', { 11: 'C', 14: '20260304080000' })),
      ['08 90 corrected', '12 180 final'],
    ],
    ['a third alone', report('F', of('16', '120')), ['08 100 final', '12 180 final', '16 120 final']],
    [
      'one from before the first',
      report('F', of('06', '80'), of('08', '100'), of('12', '180')),
      ['08 100 final', '12 180 final', '06 80 final'],
    ],
  ])('stay what they are when a message tells %s', async (_what, message, expected) => {
    const world = await after(curve, message)
    expect(values(world)).toEqual(expected)
    await world.send(...message)
    expect(values(world)).toEqual(expected)
  })

  it('go on with what was told alone before, whichever stands first', async () => {
    const world = await after(report('P', of('08', '100')), report('F', of('12', '180'), of('08', '100')))
    expect(values(world)).toEqual(['08 100 final', '12 180 final'])
    // A time that is corrected makes no second result.
    expect(values(await after(report('P', of('08', '100')), report('C', of('09', '100'))))).toEqual(['09 100 final'])
  })
})

describe('a report that is told without a number first', () => {
  const told = (number: string, fields: Readonly<Record<number, string>>, value: string): Sent => [
    ...(['oru', 'ORU^R01'] as const),
    segment('OBR', { 3: number, 4: 'CBC^Blood count^L', 7: '202603040830', 25: 'F', ...fields }),
    result(value),
  ]
  const shown = (world: StagesWorld) => [
    world.all<DiagnosticReport>('DiagnosticReport').map(({ result: results }) => results?.length),
    world.all<Observation>('Observation').map(({ valueQuantity }) => valueQuantity?.value),
  ]

  it('is the one that has a number later, with its results', async () => {
    const world = await after(told('', {}, '6'), told('F1', {}, '7'), told('F1', {}, '8'), told('', {}, '9'))
    expect(shown(world)).toEqual([[1], [9]])
  })

  it.each<[string, Sent]>([
    ['of another time', told('F1', { 7: '202603040900' }, '7')],
    ['of another service', told('F1', { 4: 'CRP^CRP^L' }, '7')],
  ])('is not the one %s', async (_what, message) => {
    expect(shown(await after(told('', {}, '6'), message))[0]).toHaveLength(2)
  })

  it('is not the one of the same minute that was measured anew in it', async () => {
    const [first, again] = [told('', { 7: '20260304083010' }, '3'), told('', { 7: '20260304083050' }, '6')]
    expect(shown(await after(first, again))).toEqual([
      [1, 1],
      [3, 6],
    ])
  })

  it('is the one of the same time, however that is written', async () => {
    const world = await after(
      told('', {}, '6'),
      told('', { 7: '20260304083000' }, '7'),
      told('F1', { 7: '20260304083000+0000' }, '8'),
    )
    expect(shown(world)).toEqual([[1], [8]])
  })

  it('and got one is not the one that has another', async () => {
    const world = await after(told('', {}, '6'), told('F1', {}, '7'), told('F2', {}, '8'))
    expect(shown(world)).toEqual([
      [1, 1],
      [7, 8],
    ])
  })
})

it('a deletion of a person (A29) that comes late ends nobody who was told again since, though nothing about them changed', async () => {
  const told = (trigger: string, minute: number): Sent => ['adt', `ADT^${trigger}`, `EVN||20260304080${minute}00+0000`]
  const isActive = (of: StagesWorld) => of.all<Patient>('Patient').map(({ active }) => active)
  const world = await after(told('A28', 1), told('A28', 5), told('A29', 3))
  expect(isActive(world)).toEqual([true])
  await world.send(...told('A29', 7))
  expect(isActive(world)).toEqual([false])
  expect(isActive(await after(told('A29', 1)))).toEqual([])
})
