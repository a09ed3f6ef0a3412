import { unprocessable, type Fault } from '../../../packages/faults/fault.ts'
import type { Criteria } from './criteria.ts'
import { identifierColumns } from './identified.ts'
import type { ResourceIndex } from './index-rows.ts'

/**
 * Why a resource that the criteria did not find may not be created by them, if it may not: without the identifier that
 * they name it would not be found the next time either, and every repetition would make another one.
 */
export function refusalOfNew({ type, named }: Criteria, index: ResourceIndex | undefined): Fault | undefined {
  if (index === undefined || named.length === 0) return undefined
  const { params, codes, systems } = identifierColumns(named.map((identifier) => ({ type, ...identifier })))
  const isCarried = (at: number) =>
    index.rows.tokens.some(
      ([param, , system, code]) =>
        param === params[at] && code === codes[at] && (systems[at] === null || system === systems[at]),
    )
  return params.every((_param, at) => isCarried(at)) ? undefined : notCarried(type)
}

const notCarried = (type: string) =>
  unprocessable(`Nothing matches the criteria, and the ${type} does not have the identifier that they name.`, {
    code: 'CRITERIA_NOT_MET',
    fields: [{ path: `${type}.identifier`, message: 'must hold the identifier that the criteria name' }],
  })
