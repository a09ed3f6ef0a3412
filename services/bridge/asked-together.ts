import type { Clock } from '../../packages/clock/clock.ts'
import type { Patient, Resource } from '../../packages/fhir/r4.ts'
import { Batcher } from '../../packages/sql/batcher.ts'
import type { FhirStore, SoughtIdentifier } from '../../ports/fhir-store/fhir-store.ts'
import type { CallOptions } from '../../ports/call-options.ts'
import type { PatientIndex, Resolution } from '../../ports/patient-index/patient-index.ts'
import { gatherMs } from './durable/gather.ts'

export interface AskedTogether {
  readonly store: FhirStore
  readonly index: PatientIndex
}

/**
 * What messages of many connections ask at the same moment is asked in one call: who is meant, and what the store has.
 * A message alone is asked about at once. Only for services of the same process, where a call cannot hang by itself.
 */
export function askedTogether({ store, index }: AskedTogether, { clock }: { readonly clock: Clock }): AskedTogether {
  const limits = { batchMax: 64, writers: 1, gather: () => clock.sleep(gatherMs) }
  const people = new Batcher<readonly Patient[], readonly (Resolution | undefined)[]>({
    write: async (asked) => split(await index.recognise(asked.flat()), asked),
    ...limits,
  })
  const newcomers = new Batcher<readonly Patient[], readonly Resolution[]>({
    write: async (asked) => split(await index.resolve(asked.flat()), asked),
    ...limits,
  })
  const identifiers = new Batcher<readonly SoughtIdentifier[], readonly (readonly Resource[])[]>({
    write: async (asked) => split(await store.findByIdentifiers(asked.flat()), asked),
    ...limits,
  })
  return {
    index: {
      ...index,
      async recognise(patients, { signal } = {}) {
        signal?.throwIfAborted()
        return people.submit(patients)
      },
      async resolve(patients, { signal } = {}) {
        signal?.throwIfAborted()
        return newcomers.submit(patients)
      },
    },
    store: {
      ...store,
      async findByIdentifiers<T extends Resource>(sought: readonly SoughtIdentifier[], { signal }: CallOptions = {}) {
        signal?.throwIfAborted()
        // Sound: whoever asks for identifiers of a type gets resources of that type.
        return (await identifiers.submit(sought)) as readonly (readonly T[])[]
      },
    },
  }
}

/** The answers to each question, in the order in which they were asked. */
function split<Answer>(answers: readonly Answer[], asked: readonly (readonly unknown[])[]): (readonly Answer[])[] {
  let from = 0
  return asked.map(({ length }) => answers.slice(from, (from += length)))
}
