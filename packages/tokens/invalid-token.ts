import { unauthenticated, type Fault } from '../faults/fault.ts'

/** RFC 6750 section 3.1. The sentence says what is wrong and never repeats anything out of the token. */
export const invalidToken = (shown: string): Fault => unauthenticated(shown, { code: 'invalid_token' })
