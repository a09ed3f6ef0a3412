import type { Form } from '../../../packages/config/forms.ts'
import { zoneNamed } from '../../../packages/hl7/types/zone.ts'

/** What times without offset can be read in. */
export const knownZone: Form = {
  is: (name) => zoneNamed(name) !== undefined,
  wrong: 'must be a time zone such as Africa/Nairobi, or an offset such as +03:00',
}
