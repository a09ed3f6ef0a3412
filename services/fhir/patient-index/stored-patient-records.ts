import { replacement } from '../interactions/changes.ts'
import type { InteractionDeps } from '../interactions/deps.ts'
import { fullAccess } from '../scopes/access.ts'
import { resourceKey } from '../store/keys.ts'
import { readCurrent } from '../store/read.ts'
import { accepted } from '../store/store.ts'
import type { StoredPatient } from './index-patients.ts'
import type { PatientRecords } from './patient-records.ts'

/** The Patients of the store, for the index's own work. */
export function storedPatientRecords(deps: InteractionDeps): PatientRecords {
  return {
    async read(ids, on) {
      const keys = ids.map((id) => resourceKey('Patient', id))
      const stored = await readCurrent(keys, on)
      return new Map(
        [...stored.values()].flatMap(({ id, content }) =>
          // Sound: the store holds only what was valid when it was written.
          content === undefined ? [] : [[id, JSON.parse(content) as StoredPatient] as const],
        ),
      )
    },
    async write(patients, tx, { commitWith, areNew = false } = {}) {
      if (patients.length === 0) return
      const changes = patients.map((resource) =>
        replacement({ type: 'Patient', id: resource.id, isNewId: areNew, resource, access: fullAccess }, deps),
      )
      for (const outcome of await deps.store.writeTogether(changes, tx, commitWith)) accepted(outcome)
    },
  }
}
