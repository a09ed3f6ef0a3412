import { unreachable } from '../../faults/fault.ts'
import { choiceName } from '../choice-name.ts'
import type { ParameterType, PathBranch } from '../compiled.ts'
import type { Definitions } from '../definitions.ts'
import { dateConvert } from './date.ts'
import type { Convert } from './index-value.ts'
import { numberConvert, quantityConvert } from './number.ts'
import { referenceConvert } from './reference.ts'
import { stringConvert } from './string.ts'
import { tokenConvert } from './token.ts'
import { uriConvert } from './uri.ts'

/** How values of a type are indexed under a parameter of a type; undefined where R4 gives no meaning to it. */
export function convertFor(
  parameterType: ParameterType,
  branch: Pick<PathBranch, 'type' | 'codes'>,
  targets: readonly string[] | undefined,
  definitions: Definitions,
): Convert | undefined {
  if (branch.type === 'Extension') return extensionConvert(parameterType, targets, definitions)
  switch (parameterType) {
    case 'token':
      return tokenConvert(branch.type, branch.codes === undefined ? undefined : definitions.codeSet(branch.codes))
    case 'string':
      return stringConvert(branch.type)
    case 'date':
      return dateConvert(branch.type)
    case 'reference':
      return referenceConvert(branch.type, targets)
    case 'number':
      return numberConvert(branch.type)
    case 'quantity':
      return quantityConvert(branch.type)
    case 'uri':
      return uriConvert(branch.type)
    case 'composite':
    case 'special':
      return undefined
    default:
      return unreachable(parameterType)
  }
}

/** An extension is found by its value, whatever type that has. */
function extensionConvert(
  parameterType: ParameterType,
  targets: readonly string[] | undefined,
  definitions: Definitions,
): Convert {
  const choices = definitions.elementsOf('Extension').find((element) => element.choice === true)?.types ?? []
  const converts = choices.flatMap((type): [string, Convert][] => {
    const convert = convertFor(parameterType, { type }, targets, definitions)
    return convert === undefined ? [] : [[choiceName('value', type), convert]]
  })
  return (node, into) => {
    if (typeof node !== 'object' || node === null) return
    for (const [name, convert] of converts) {
      const value = (node as Readonly<Record<string, unknown>>)[name]
      if (value !== undefined) convert(value, into)
    }
  }
}
