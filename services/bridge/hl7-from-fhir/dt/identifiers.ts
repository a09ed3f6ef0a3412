import type { CodeableConcept, Identifier } from '../../../../packages/fhir/r4.ts'
import { repeated, type Atom, type ComponentValue, type FieldValue } from '../../../../packages/hl7/index.ts'
import { checkDigitSchemeUrl, checkDigitUrl } from '../../mapping/dt/cx.ts'
import { ownName } from './own-name.ts'
import { hl7Date } from './times.ts'

/** How identifier systems are named to a receiver. */
export interface Authorities {
  /** Of the systems that are ours: `https://corridor.example`. */
  readonly base: string
  /** The receiver's code, by which its own names are known; undefined where nobody knows it. */
  readonly facility?: string | undefined
  /** Namespaces (HD.1) by identifier system: the receiver's part of the NamingSystem table, the other way round. */
  readonly namespaces: ReadonlyMap<string, string>
}

/** HD: who assigned it. What `dt/hd.ts` of the mapping reads becomes the same system again. */
export function hd({ system, type }: Identifier, { base, facility, namespaces }: Authorities): readonly Atom[] {
  if (system === undefined) return []
  const namespace = namespaces.get(system)
  const universal = universalId(system)
  if (universal !== undefined) return [namespace, ...universal]
  if (namespace !== undefined) return [namespace]
  const own = ownName(system, `${base}/id/`)
  const name = own === undefined || own.name === typeCode(type) || isMadeUp.test(own.name) ? undefined : own.name
  // A bare name is read as one of whoever sends it: that of another facility would come back as somebody else's number.
  if (own === undefined || own.facility !== facility) return [name, system, 'URI']
  return name === undefined ? [] : [name]
}

/** Nobody's name: it stands in a system where the sender named no authority, beside the kinds of table 0203. */
const isMadeUp = /^(practitioner|organization|patient|licence|[A-Z][A-Z\d]{2}-\d{1,2})$/

/** CX, one repetition. An identifier without value is none. */
export function cx(identifier: Identifier, authorities: Authorities): FieldValue {
  const { value, type, period } = identifier
  if (value === undefined) return undefined
  const dates: ComponentValue[] = period === undefined ? [] : [undefined, hl7Date(period.start), hl7Date(period.end)]
  const beside = (url: string) => identifier.extension?.find((one) => one.url === url)?.valueString
  const digits = [beside(checkDigitUrl), beside(checkDigitSchemeUrl)]
  return [value, ...digits, hd(identifier, authorities), typeCode(type), ...dates]
}

/** CX, every identifier of a list; those in use come before the old ones. */
export function cxList(identifiers: readonly Identifier[] | undefined, authorities: Authorities): FieldValue {
  const list = (identifiers ?? []).filter(({ value }) => value !== undefined)
  const ordered = [...list.filter(({ use }) => use !== 'old'), ...list.filter(({ use }) => use === 'old')]
  return ordered.length === 0 ? undefined : repeated(ordered.map((one) => cx(one, authorities)))
}

/** EI: value, and the authority in the components beside it. */
export function ei(identifier: Identifier | undefined, authorities: Authorities): FieldValue {
  if (identifier?.value === undefined) return undefined
  return [identifier.value, ...hd(identifier, authorities)]
}

/** The identifier of a kind of table 0203 (`PLAC`, `FILL`, `VN`). */
export const identifierOf = (list: readonly Identifier[] | undefined, kind: string): Identifier | undefined =>
  list?.find(({ type }) => typeCode(type) === kind)

export const typeCode = (type: CodeableConcept | undefined): string | undefined =>
  type?.coding?.find(({ system }) => system?.endsWith('/v2-0203') === true)?.code

function universalId(system: string): readonly [string, string] | undefined {
  if (system.startsWith('urn:oid:')) return [system.slice('urn:oid:'.length), 'ISO']
  if (system.startsWith('urn:uuid:')) return [system.slice('urn:uuid:'.length), 'UUID']
  return system.startsWith('urn:dns:') ? [system.slice('urn:dns:'.length), 'DNS'] : undefined
}
