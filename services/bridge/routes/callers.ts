import { scopes } from '../../../packages/http/who.ts'

/** Whoever may look: monitoring included. */
export const readers = scopes('system/*.read', 'system/*.write')

/** Whoever may change something, and see what messages say. */
export const writers = scopes('system/*.write')
