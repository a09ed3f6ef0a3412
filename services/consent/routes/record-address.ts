import { missing } from '../../../packages/faults/fault.ts'
import { integer } from '../../../packages/http/fields.ts'

export const RecordId = { id: integer() }

/** One sentence for what is not there and for what belongs to somebody else. */
export const noSuchRecord = () => missing('There is no such consent record.')
