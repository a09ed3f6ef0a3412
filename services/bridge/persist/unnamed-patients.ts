import type { Patient } from '../../../packages/fhir/r4.ts'
import { lastSurvivor, mergeTrail } from '../../../ports/patient-index/merge-trail.ts'
import type { Write } from '../mapping/mapped.ts'
import { patientReferences } from '../mapping/patient-of.ts'
import type { FindDeps } from './find-deps.ts'
import type { Stored } from './stored.ts'

export type StoredPatient = Patient & { readonly id: string }

/**
 * Who has an appointment that the message changes without a word of them: SIU need not name a patient, and may name one of several.
 * Whoever was merged away stands for the one who stayed. What is said to be somebody else's was never theirs.
 * @param named the ids of the patients whom the message names, as they are stored
 */
export async function unnamedPatients(
  writes: readonly Write[],
  stored: Stored,
  named: ReadonlySet<string | undefined>,
  signal: AbortSignal,
  { store, breakers }: FindDeps,
): Promise<readonly StoredPatient[]> {
  const read = (id: string) =>
    breakers.call('fhir-server', () => store.read<StoredPatient>('Patient', id, { signal }), signal)
  const ids = new Set(writes.flatMap((write) => patientIdsOf(write, stored)))
  const found = await Promise.all(
    [...ids]
      .filter((id) => !named.has(id))
      .map(async (id) => {
        const record = await read(id)
        return record && (lastSurvivor(await mergeTrail(record, read)) ?? record)
      }),
  )
  const others = found.flatMap((one) => (one === undefined || named.has(one.id) ? [] : [[one.id, one] as const]))
  return [...new Map(others).values()]
}

function patientIdsOf({ fullUrl, mode }: Write, stored: Stored): string[] {
  const there = stored.get(fullUrl)
  if (there?.resourceType !== 'Appointment' || mode === 'ensure' || stored.moved?.has(fullUrl) === true) return []
  return patientReferences(there).map((reference) => reference.slice('Patient/'.length))
}
