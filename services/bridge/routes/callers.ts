import { scopes, scopesOrRoles } from '../../../packages/http/who.ts'

/** Whoever may look: monitoring included. */
export const readers = scopes('system/*.read', 'system/*.write')

/** Whoever may change something, and see what messages say. */
export const writers = scopes('system/*.write')

/** Who may learn of critical results: whoever may look, and those who treat patients, with the token they have anyway. */
export const alertReaders = scopesOrRoles(['system/*.read', 'system/*.write'], ['CLINICIAN'])

/** Who may say that a critical result was seen. */
export const alertWriters = scopesOrRoles(['system/*.write'], ['CLINICIAN'])
