import type { Bundle, Patient } from '../packages/fhir/r4.ts'
import { patientRecord } from './fhir-search/patient-record.ts'
import { storeWorld, type StoreWorld } from './fhir-store/store-world.ts'
import { benchmark, type Round, type Variant } from './harness/benchmark.ts'
import { startDurableDatabase } from './harness/durable-database.ts'
import { repeat } from './harness/repeat.ts'

interface World extends AsyncDisposable {
  readonly small: StoreWorld
  readonly large: StoreWorld
}

// BENCH_RESOURCES=1000000 shows how it grows to a million; loading them takes some minutes.
const [smallSize, largeSize] = [10_000, Number(process.env['BENCH_RESOURCES'] ?? 100_000)]
const observationsPerTransaction = 60

/** As many callers as an interface engine has connections. */
const manyCallers = 128

/** Each about a patient of its own, in an order that no cache can guess. */
const scattered = (number: number, { patients }: StoreWorld) => (number * 7_919) % patients

const operations: Readonly<Record<string, (world: StoreWorld, round: Round) => Promise<number>>> = {
  'reads, 4 callers': (world, round) =>
    repeat(round, 4, (number) => world.store.read('Patient', `p${scattered(number, world)}`)),
  'conditional updates, 1 caller': (world, round) => repeat(round, 1, (number) => updateOne(world, number)),
  [`conditional updates, ${manyCallers} callers`]: (world, round) =>
    repeat(round, manyCallers, (number) => updateOne(world, number)),
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
        fullUrl: 'urn:uuid:0e1ebe35-bfdc-4613-8bf2-c5e300945f0b',
        resource: patient,
        request: { method: 'PUT', url: `Patient?identifier=${identifierOf(patient)}` },
      },
      ...Array.from({ length: observationsPerTransaction }, () => ({
        // Sound: it is an Observation as the filled store has them.
        resource: { ...template, subject: { reference: 'urn:uuid:0e1ebe35-bfdc-4613-8bf2-c5e300945f0b' } } as never,
        request: { method: 'POST' as const, url: 'Observation' },
      })),
    ],
  }
}

/** Sound: the first of a patient's record is the Patient. */
const patientOf = (world: StoreWorld, number: number) =>
  patientRecord(scattered(number, world), world.patients)[0] as unknown as Patient

const identifierOf = ({ identifier = [] }: Omit<Patient, 'id'>) => `urn:bench:mrn|${identifier[0]?.value ?? ''}`

const variantsOf = (size: 'small' | 'large', label: string) =>
  Object.entries(operations).map(([name, operation]): [string, Variant<World>] => [
    `${name}, ${label}`,
    (world, round) => operation(world[size], round),
  ])

export default benchmark<World>({
  name: 'fhir-store',
  title: `The in-process port over ${smallSize} and ${largeSize} resources: reads, conditional updates and transactions`,
  unit: 'operations/s',
  seconds: 3,
  async setup({ progress }) {
    await using stack = new AsyncDisposableStack()
    const filled = async (size: number) => {
      const { url } = stack.use(await startDurableDatabase(progress))
      return stack.use(await storeWorld(url, size, progress))
    }
    const small = await filled(smallSize)
    const large = await filled(largeSize)
    const owned = stack.move()
    return { small, large, [Symbol.asyncDispose]: () => owned.disposeAsync() }
  },
  variants: Object.fromEntries([
    ...variantsOf('small', smallSize.toLocaleString('en')),
    ...variantsOf('large', largeSize.toLocaleString('en')),
  ]),
})
