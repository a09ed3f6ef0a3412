import { connections, httpWorld, pathsOf, resources, type HttpWorld } from './fhir-store/http-world.ts'
import { benchmark } from './harness/benchmark.ts'

const reads = pathsOf((patient) => `Patient/p${patient}`)
const searches = pathsOf((patient) => `Patient?identifier=urn:bench:mrn|${patient}`)
const records = pathsOf((patient) => `Observation?patient=p${patient}`)

export default benchmark<HttpWorld>({
  name: 'fhir-http',
  title: `GET on ${connections} connections of the FHIR service over ${resources} resources, audited`,
  unit: 'requests/s',
  setup: httpWorld,
  variants: {
    reads: (world, round) => world.get(reads, round),
    'searches by identifier': (world, round) => world.get(searches, round),
    'observations of a patient': (world, round) => world.get(records, round),
  },
})
