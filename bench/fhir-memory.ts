import { setTimeout } from 'node:timers/promises'
import { connections, httpWorld, pathsOf, resources, type HttpWorld } from './fhir-store/http-world.ts'
import { benchmark, type Round } from './harness/benchmark.ts'

const records = pathsOf((patient) => `Patient/p${patient}/$everything`)

/** What the process has when the round ends. */
const after = async (world: HttpWorld, round: Round, work: () => Promise<unknown>) => {
  await work()
  round.record(0)
  return world.memory()
}

export default benchmark<HttpWorld>({
  name: 'fhir-memory',
  title: `memory of the FHIR service over ${resources} resources: left alone, and asked for whole records on ${connections} connections`,
  unit: 'MB',
  rounds: 3,
  setup: httpWorld,
  variants: {
    'left alone': (world, round) => after(world, round, () => setTimeout(round.seconds * 1_000)),
    'asked for whole records': (world, round) => after(world, round, () => world.get(records, round)),
  },
})
