import { callableAddress, phoneNumber } from '../../../packages/config/forms.ts'
import { count, optionalText, seconds, text } from '../../../packages/config/key.ts'
import type { ConfigurationOf } from '../../../packages/config/schema.ts'

/** `bridge.coordination.…` */
export const coordinationSection = {
  url: optionalText({
    form: callableAddress,
    meaning: 'Where the clinical coordination service takes POST_WRITE events. Without one the embedded service does.',
  }),
  authorization: optionalText({ secret: true, meaning: 'The Authorization header for that service.' }),
  escalateAfterSeconds: seconds({
    default: 900,
    min: 1,
    max: 604_800,
    meaning: 'How long a critical result may stay unacknowledged before the embedded service escalates it, each time.',
  }),
  escalationsMax: count({ default: 3, min: 0, max: 100, meaning: 'How often it escalates one result.' }),
  escalationPhone: text({
    default: '+99900000001',
    form: phoneNumber,
    meaning: 'Who is told of a result that nobody acknowledged.',
  }),
}

export type CoordinationSection = ConfigurationOf<typeof coordinationSection>
