import type { Reference } from '../../../../packages/fhir/r4.ts'
import type { Segment } from '../../../../packages/hl7/index.ts'
import type { Draft } from '../draft.ts'
import { putBedStatus } from './pv1.ts'

/** NPU: a bed (1) and its status (2), which the Location gets. */
export const putBed = (npu: Segment, draft: Draft): Reference | undefined => putBedStatus(npu, 1, 2, draft)
