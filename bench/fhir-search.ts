import { benchmark, type Variant } from './harness/benchmark.ts'
import { startDurableDatabase } from './harness/durable-database.ts'
import { repeat } from './harness/repeat.ts'
import { filledStore, type FilledStore } from './fhir-search/filled-store.ts'
import { birthDateOf, familyOf } from './fhir-search/patient-record.ts'

interface World extends AsyncDisposable {
  readonly small: FilledStore
  readonly large: FilledStore
}

const callers = 4
// BENCH_RESOURCES=1000000 shows how it grows to a million; loading them takes some minutes.
const [smallSize, largeSize] = [10_000, Number(process.env['BENCH_RESOURCES'] ?? 100_000)]

/** Each for a patient of its own, in an order that no cache can guess. */
const searches: Readonly<Record<string, (number: number, patients: number) => [type: string, query: string]>> = {
  identifier: (number) => ['Patient', `identifier=urn:bench:mrn|${number}`],
  name: (number) => ['Patient', `family=${familyOf(number)}`],
  'birth date': (number, patients) => ['Patient', `birthdate=${birthDateOf(number, patients)}`],
  'patient and dates': (number) => ['Observation', `patient=p${number}&date=ge2024-03-02&date=lt2024-03-05`],
  chained: (number) => [
    'Observation',
    `subject:Patient.identifier=urn:bench:mrn|${number}&code=http://loinc.org|2339-0`,
  ],
  'reverse chained': (number) => ['Patient', `_has:Observation:patient:_id=o${number}-1`],
  'with includes': (number) => ['Observation', `patient=p${number}&_include=Observation:encounter&_count=5`],
  'first page of many': () => ['Observation', 'status=final&_count=20'],
  'newest first': () => ['Observation', '_sort=-date&_count=20'],
  'by name': () => ['Patient', '_sort=family&_count=20'],
}

const variantsOf = (size: 'small' | 'large', label: string) =>
  Object.entries(searches).map(([name, search]): [string, Variant<World>] => [
    `${name}, ${label}`,
    (world, round) => {
      const store = world[size]
      return repeat(round, callers, (number) => {
        const scattered = (number * 7_919) % store.patients
        return store.find(...search(scattered, store.patients))
      })
    },
  ])

export default benchmark<World>({
  name: 'fhir-search',
  title: `${callers} callers search in ${smallSize} and in ${largeSize} resources: what growth costs each kind of search`,
  unit: 'searches/s',
  seconds: 2,
  async setup({ progress }) {
    await using stack = new AsyncDisposableStack()
    const filled = async (size: number) => {
      const { url } = stack.use(await startDurableDatabase(progress))
      return stack.use(await filledStore(url, size, progress))
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
