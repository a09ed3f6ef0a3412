import { unavailable } from '../../packages/faults/fault.ts'
import type { Terminology } from './terminology.ts'

const none = async (): Promise<never> => {
  throw unavailable('There is no terminology service.', { code: 'NO_TERMINOLOGY' })
}

/** Where there is no terminology service: codes stay as they are, unchecked. */
export const unavailableTerminology: Terminology = { codingsIn: none, lookup: none }
