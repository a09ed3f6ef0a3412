import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../packages/clock/clock.ts'
import { systemIds } from '../../../packages/clock/ids.ts'
import type { Encounter, Patient } from '../../../packages/fhir/r4.ts'
import { parseMessage, zoneNamed } from '../../../packages/hl7/index.ts'
import { silentLog } from '../../../packages/log/log.ts'
import type { ConsentQuestion } from '../../../ports/consent/consent.ts'
import { memoryFhirStore } from '../testing/memory-fhir-store.ts'
import { StagesWorld } from '../testing/stages-world.ts'
import { testChannel } from '../testing/test-channels.ts'
import type { Received } from './received.ts'
import { runStages, type StageDeps } from './run-stages.ts'

it('a message about somebody who is merged into another after consent was asked is refused by that other', async () => {
  const store = memoryFhirStore()
  const { resource: other } = await store.updateMatching<Patient>(
    { resourceType: 'Patient', identifier: [{ system: 'urn:b', value: 'B' }] },
    { identifier: 'urn:b|B' },
  )
  const deps = depsWith(store, other.id)
  expect(await runStages(received('HERE'), deps)).toMatchObject({ status: 'SUCCESS' })
  const isOne = ({ resourceType, id }: { resourceType: string; id: string }) =>
    resourceType === 'Patient' && id !== other.id
  // Sound: the message has made it.
  const one = [...store.resources.values()].find(isOne) as Patient & { readonly id: string }
  const link = [{ type: 'replaced-by' as const, other: { reference: `Patient/${other.id}` } }]
  store.beforeNextWrite(() => store.update({ ...one, active: false, link }))
  expect(await runStages(received('THERE'), deps)).toMatchObject({
    ...{ status: 'ERROR', code: 'AR', errorCode: 'CONSENT_DENIED', stage: 'GOVERN' },
    refusal: { patientId: other.id, operation: 'UPDATE' },
  })
  expect(store.resources.get(`Patient/${other.id}`)).toEqual(other)
})

it('the visit of a message is that of the patient in whose name it is told, not that of another one', async () => {
  const world = new StagesWorld()
  const [first, second] = ['PID|1||M1^^^CENTRAL^MR||RAMGOOLAM^Amina', 'PID|2||M2^^^CENTRAL^MR||OKONKWO^Adaeze']
  const visit = 'PV1|1|I|||||||||||||||||V2^^^CENTRAL'
  const results = (number: string) => [`OBR|1||${number}|K^Potassium^L`, 'OBX|1|NM|K^Potassium^L||4||||||F']
  const told = (...segments: readonly string[]) => world.send('oru', 'ORU^R01', ...segments)
  const others = await told(first, ...results('F1'), second, visit, ...results('F2'))
  expect(others).toMatchObject({ status: 'SUCCESS', otherPatients: [{}] })
  expect(others).not.toHaveProperty('encounter')
  const [encounter] = world.all<Encounter>('Encounter')
  expect(await told(second, visit, ...results('F3'))).toMatchObject({ encounter: `Encounter/${encounter?.id}` })
})

describe('a message that takes something from another patient', () => {
  const [amina, adaeze] = ['PID|1||M1^^^CENTRAL^MR||RAMGOOLAM^Amina', 'PID|1||M2^^^CENTRAL^MR||OKONKWO^Adaeze']
  const results = ['OBR|1||F1|K^Potassium^L|||20260304', 'OBX|1|NM|K^Potassium^L||4||||||F']
  const visit = 'PV1|1|I|||||||||||||||||V1^^^CENTRAL'
  const booking = ['SCH||A1^S|||||||30|MIN|^^30^20260310090000', 'AIP|1||1234^SMITH^JOHN']

  it.each<[string, readonly Parameters<StagesWorld['send']>[]]>([
    [
      'a report',
      [
        ['oru', 'ORU^R01', amina, ...results],
        ['oru', 'ORU^R01', adaeze, ...results],
      ],
    ],
    [
      'a visit',
      [
        ['adt', 'ADT^A01', amina, visit],
        ['adt', 'ADT^A45', adaeze, 'MRG|M1^^^CENTRAL^MR||||V1^^^CENTRAL', visit],
      ],
    ],
    [
      'an account',
      [
        ['adt', 'ADT^A01', `${amina}${'|'.repeat(13)}K1^^^CENTRAL`, visit],
        ['adt', 'ADT^A44', `${adaeze}${'|'.repeat(13)}K1^^^CENTRAL`, 'MRG|M1^^^CENTRAL^MR'],
      ],
    ],
    [
      'an appointment',
      [
        ['siu', 'SIU^S12', amina, ...booking],
        ['siu', 'SIU^S14', adaeze, ...booking],
      ],
    ],
  ])('names the one whose it was beside the one whose it is: %s', async (_what, [first, second]) => {
    if (first === undefined || second === undefined) throw new Error('two messages are sent')
    const world = new StagesWorld()
    expect(await world.send(...first)).toMatchObject({ status: 'SUCCESS' })
    const [before] = world.all<Patient>('Patient')
    const told = await world.send(...second)
    const now = world.all<Patient>('Patient').find(({ id }) => id !== before?.id)
    expect(told).toMatchObject({
      ...{ status: 'SUCCESS', patient: `Patient/${now?.id}` },
      otherPatients: [{ patient: `Patient/${before?.id}` }],
    })
    expect(await world.send(...second)).not.toHaveProperty('otherPatients')
  })
})

/** Everybody permits everything but the one who refuses. */
function depsWith(store: StageDeps['store'], refusingId: string): StageDeps {
  const facility = { code: 'CENTRAL', organization: 'Organization/central', name: 'Central', namespaces: new Map() }
  // Sound: the stages ask nothing else of these.
  return {
    facilities: { find: async () => new Map([['CENTRAL', facility]]) },
    index: { recognise: async () => [{ goldenId: 'golden', outcome: 'known' }] },
    consent: {
      evaluate: async ({ patientId }: ConsentQuestion) => ({
        ...{ is: 'answered', outcome: patientId === refusingId ? 'DENY' : 'PERMIT', reason: '', consentRecordId: null },
      }),
    },
    consentRule: { enabled: true, failClosed: true, refusedAck: 'AR' },
    breakers: { call: (_: string, work: () => Promise<unknown>) => work() },
    ...{ store, isOwnStore: true, base: 'https://corridor.example', zoneOf: zoneNamed, terminologyRequired: false },
    ...{ log: silentLog, clock: systemClock, ids: systemIds, passBoundary: () => {} },
  } as unknown as StageDeps
}

function received(street: string): Received {
  const text = [
    'MSH|^~\\&|HIS|CENTRAL|HUB|CORRIDOR|20260304||ADT^A31|D7|P|2.5.1',
    `PID|1||4711^^^CENTRAL^MR||DOE^Jane||19800115|F|||${street}`,
  ]
  return {
    ...{ transactionId: 't', channel: testChannel('adt'), message: parseMessage(`${text.join('\r')}\r`) },
    ...{ receivedAt: new Date(), attempt: 1, run: 1, wasRefused: false, wasEnded: false, checkHeld: () => {} },
    signal: new AbortController().signal,
  }
}
