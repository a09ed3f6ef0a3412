import { incorrect, unprocessable } from '../../../../packages/faults/fault.ts'

/** The patch is no patch. */
export const notAPatch = (index: number, problem: string) =>
  incorrect('The body is not a JSON Patch (RFC 6902).', {
    code: 'INVALID_PATCH',
    fields: [{ path: `[${index}]`, message: `operation ${index} ${problem}` }],
  })

/** The patch is one, but it does not fit the resource as it is. */
export const cannotApply = (index: number, problem: string) =>
  unprocessable('The patch cannot be applied to the resource as it is.', {
    code: 'PATCH_FAILED',
    fields: [{ path: `[${index}]`, message: `operation ${index} ${problem}` }],
  })
