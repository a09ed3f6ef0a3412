import { fullAccess } from '../services/fhir/scopes/access.ts'
import { birthDateOf, familyOf } from './fhir-store/patient-record.ts'
import {
  largeSize,
  onBothSizes,
  scattered,
  smallSize,
  twoSizes,
  type Operation,
  type TwoSizes,
} from './fhir-store/two-sizes.ts'
import { benchmark } from './harness/benchmark.ts'
import { repeat } from './harness/repeat.ts'

const callers = 4

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

const operations = Object.fromEntries(
  Object.entries(searches).map(([name, search]): [string, Operation] => [
    name,
    (world, round) =>
      repeat(round, callers, (number) => {
        const [type, query] = search(scattered(number, world), world.patients)
        const request = { type, query, access: fullAccess, isStrict: true, base: 'http://bench' }
        return world.deps.engine.search(request, world.deps.database)
      }),
  ]),
)

export default benchmark<TwoSizes>({
  name: 'fhir-search',
  title: `${callers} callers search in ${smallSize} and in ${largeSize} resources: what growth costs each kind of search`,
  unit: 'searches/s',
  seconds: 2,
  setup: twoSizes,
  variants: onBothSizes(operations),
})
