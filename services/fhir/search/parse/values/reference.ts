import type { SearchParameter } from '../../../../../packages/fhir/definitions.ts'
import { isFhirId } from '../../../../../packages/fhir/fhir-id.ts'
import { parseCanonical, parseReference } from '../../../../../packages/fhir/reference.ts'
import type { SoughtReference } from '../../ast.ts'
import { unescape } from '../escapes.ts'
import type { ParseContext } from '../parse-context.ts'
import { refuse } from '../refuse.ts'
import { targetTypesOf } from '../target-types.ts'

/** `123`, `Patient/123`, an absolute address, or a canonical address with or without version. */
export function parseReferenceValue(
  text: string,
  parameter: SearchParameter,
  typeModifier: string | undefined,
  name: string,
  { ownBases }: Pick<ParseContext, 'ownBases'>,
): SoughtReference {
  const plain = unescape(text)
  if (isFhirId(plain)) return sought({ type: typeModifier ?? onlyTarget(parameter), id: plain })
  const parsed = parseReference(plain)
  if (parsed.kind === 'relative' || (parsed.kind === 'absolute' && ownBases.includes(parsed.base))) {
    if (typeModifier !== undefined && parsed.type !== typeModifier) {
      throw refuse(name, `says that the target is a ${typeModifier}, but a value names another type.`)
    }
    const isCanonical = parsed.kind === 'absolute' && holdsCanonicals(parameter)
    return { ...sought({ type: parsed.type, id: parsed.id }), ...(isCanonical ? { canonical: plain } : {}) }
  }
  if (parsed.kind === 'absolute') {
    return sought({ url: `${parsed.base}/${parsed.type}/${parsed.id}` })
  }
  if (parsed.kind === 'contained' || parsed.kind === 'conditional' || !hasScheme.test(plain)) {
    throw refuse(name, 'needs an id, a reference of the form Type/id, or an absolute address.')
  }
  const { url, version } = parseCanonical(plain)
  return sought({ url, version })
}

const holdsCanonicals = ({ branches = [] }: SearchParameter) =>
  branches.some(({ type }) => type === 'canonical' || type === 'uri')

const hasScheme = /^[A-Za-z][A-Za-z0-9+.-]*:\S+$/

const sought = (parts: {
  readonly type?: string | undefined
  readonly id?: string
  readonly url?: string
  readonly version?: string | undefined
}): SoughtReference => ({
  kind: 'reference',
  type: parts.type,
  id: parts.id,
  url: parts.url,
  version: parts.version,
})

function onlyTarget(parameter: SearchParameter): string | undefined {
  const types = targetTypesOf(parameter)
  return types.length === 1 ? types[0] : undefined
}
