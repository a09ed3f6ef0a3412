import type { Bundle, Patient } from '../packages/fhir/r4.ts'
import { patientRecord } from './fhir-store/patient-record.ts'
import type { StoreWorld } from './fhir-store/store-world.ts'
import {
  largeSize,
  onBothSizes,
  scattered,
  smallSize,
  twoSizes,
  type Operation,
  type TwoSizes,
} from './fhir-store/two-sizes.ts'
import { benchmark, type Round } from './harness/benchmark.ts'
import { repeat } from './harness/repeat.ts'

const observationsPerTransaction = 60

/** As many callers as an interface engine has connections. */
const manyCallers = 128

const operations: Readonly<Record<string, Operation>> = {
  'reads, 4 callers': (world, round) =>
    repeat(round, 4, (number) => world.store.read('Patient', `p${scattered(number, world)}`)),
  'conditional updates, 1 caller': (world, round) => repeat(round, 1, (number) => updateOne(world, number)),
  [`conditional updates, ${manyCallers} callers`]: (world, round) =>
    repeat(round, manyCallers, (number) => updateOne(world, number)),
  'searches by identifier, 1 caller': (world, round) =>
    repeat(round, 1, (number) =>
      world.store.search('Patient', { identifier: `urn:bench:mrn|${scattered(number, world)}` }),
    ),
  'five identifiers at once, 1 caller': (world, round) =>
    repeat(round, 1, (number) => world.store.findByIdentifiers(fiveOf(world, number))),
  'messages of five resources, 1 caller': (world, round) => messages(world, round, 1),
  'messages of five resources, 32 callers': (world, round) => messages(world, round, 32),
  'resources in transactions, 4 callers': async (world, round) => {
    const perSecond = await repeat(round, 4, (number) => world.store.transaction(transactionFor(world, number)))
    return perSecond * (observationsPerTransaction + 1)
  },
}

/** What an ADT message comes to: the same patient, another phone number. */
function updateOne(world: StoreWorld, number: number) {
  const patient = patientOf(world, number)
  const telecom = [{ system: 'phone' as const, value: `+2547${number % 10_000_000}` }]
  return world.store.updateMatching({ ...patient, telecom }, { identifier: identifierOf(patient) })
}

const fiveOf = (world: StoreWorld, number: number) =>
  [0, 1, 2, 3, 4].map((next) => ({
    ...{ type: 'Patient', system: 'urn:bench:mrn' },
    value: String(scattered(number + next, world)),
  }))

function messages(world: StoreWorld, round: Round, callers: number): Promise<number> {
  const run = round.clock.now().getTime()
  return repeat(round, callers, (number) => world.store.transaction(messageFor(world, number, `${run}-${number}`)))
}

/** What a bridged message comes to: patient and visit are there, three observations are new; all by identifier. */
function messageFor(world: StoreWorld, number: number, message: string): Bundle {
  const [patient, visit, observation] = patientRecord(scattered(number, world), world.patients)
  const put = (resource: object | undefined, type: string, value: string, fullUrl?: string) => ({
    ...(fullUrl === undefined ? {} : { fullUrl }),
    // Sound: these are resources as the filled store has them.
    resource: { ...resource, id: undefined, identifier: [{ system: 'urn:bench:mrn', value }] } as never,
    request: { method: 'PUT' as const, url: `${type}?identifier=urn:bench:mrn|${value}` },
  })
  const [subject, encounter] = [{ reference: patientUrn }, { reference: visitUrn }]
  return {
    resourceType: 'Bundle',
    type: 'transaction',
    entry: [
      put(
        { ...patient, telecom: [{ system: 'phone', value: message }] },
        'Patient',
        String(scattered(number, world)),
        patientUrn,
      ),
      put({ ...visit, subject }, 'Encounter', `visit-${scattered(number, world)}`, visitUrn),
      ...[0, 1, 2].map((at) => put({ ...observation, subject, encounter }, 'Observation', `${message}-${at}`)),
    ],
  }
}

const patientUrn = 'urn:uuid:0e1ebe35-bfdc-4613-8bf2-c5e300945f0b'
const visitUrn = 'urn:uuid:0e1ebe35-bfdc-4613-8bf2-c5e300945f0c'

/** What a laboratory's message comes to: the patient and sixty observations. */
function transactionFor(world: StoreWorld, number: number): Bundle {
  const { id: _patientId, ...patient } = patientOf(world, number)
  const [, , observation] = patientRecord(scattered(number, world), world.patients)
  const { id: _id, ...template } = observation ?? { id: '' }
  return {
    resourceType: 'Bundle',
    type: 'transaction',
    entry: [
      {
        fullUrl: patientUrn,
        resource: patient,
        request: { method: 'PUT', url: `Patient?identifier=${identifierOf(patient)}` },
      },
      ...Array.from({ length: observationsPerTransaction }, () => ({
        // Sound: it is an Observation as the filled store has them.
        resource: { ...template, subject: { reference: patientUrn } } as never,
        request: { method: 'POST' as const, url: 'Observation' },
      })),
    ],
  }
}

/** Sound: the first of a patient's record is the Patient. */
const patientOf = (world: StoreWorld, number: number) =>
  patientRecord(scattered(number, world), world.patients)[0] as unknown as Patient

const identifierOf = ({ identifier = [] }: Omit<Patient, 'id'>) => `urn:bench:mrn|${identifier[0]?.value ?? ''}`

export default benchmark<TwoSizes>({
  name: 'fhir-store',
  title: `The in-process port over ${smallSize} and ${largeSize} resources: reads, searches, conditional updates, transactions`,
  unit: 'operations/s',
  seconds: 3,
  setup: twoSizes,
  variants: onBothSizes(operations),
})
