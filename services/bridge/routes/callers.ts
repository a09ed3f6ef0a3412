import { scopes, scopesOrRole } from '../../../packages/http/who.ts'

/** Whoever may look: monitoring included. */
export const readers = scopes('system/*.read', 'system/*.write')

/** Whoever may change something, and see what messages say. */
export const writers = scopes('system/*.write')

/**
 * Who may learn of critical results: whoever may look, and those who treat patients, with the token of the workspace. An
 * app that was opened for one patient, or for other things than results, learns of nobody's.
 */
export const alertReaders = scopesOrRole(['system/*.read', 'system/*.write'], {
  role: 'CLINICIAN',
  scope: 'user/Observation.rs',
})

/** Who may say that a critical result was seen. */
export const alertWriters = scopesOrRole(['system/*.write'], { role: 'CLINICIAN', scope: 'user/Observation.u' })
