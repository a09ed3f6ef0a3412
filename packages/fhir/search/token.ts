import type { CodeSet } from '../compiled.ts'
import type { Convert, IndexValue, TokenValue } from './index-value.ts'

/** R4 section 3.1.1.4.10. A bare code takes the system of the set that it is bound to. */
export function tokenConvert(type: string, codeSet: CodeSet | undefined): Convert | undefined {
  switch (type) {
    case 'CodeableConcept':
      return convertConcept
    case 'Coding':
      return convertCoding
    case 'Identifier':
      return convertIdentifier
    case 'ContactPoint':
      return convertContactPoint
    case 'boolean':
      return (node, into) => {
        if (typeof node === 'boolean') into.push(token(undefined, String(node)))
      }
    case 'code':
      return codeConvert(codeSet)
    case 'string':
    case 'id':
    case 'uri':
    case 'canonical':
      return codeConvert(undefined)
    default:
      return undefined
  }
}

export function token(system: unknown, code: unknown, text?: unknown): TokenValue {
  return {
    kind: 'token',
    system: textOf(system),
    code: textOf(code),
    text: textOf(text),
    identifierTypes: undefined,
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

function codeConvert(codeSet: CodeSet | undefined): Convert {
  const systems = new Map(
    Object.entries(codeSet ?? {}).flatMap(([system, codes]) => codes.map((code): [string, string] => [code, system])),
  )
  return (node, into) => {
    if (typeof node === 'string') into.push(token(systems.get(node), node))
  }
}

interface Coding {
  readonly system?: unknown
  readonly code?: unknown
  readonly display?: unknown
}

interface Concept {
  readonly coding?: unknown
  readonly text?: unknown
}

/** Of Identifier and ContactPoint. */
interface Valued {
  readonly system?: unknown
  readonly value?: unknown
  readonly type?: unknown
}

const isCoding = (node: unknown): node is Coding => typeof node === 'object' && node !== null
const isConcept = (node: unknown): node is Concept => typeof node === 'object' && node !== null
const isValued = (node: unknown): node is Valued => typeof node === 'object' && node !== null

function convertCoding(node: unknown, into: IndexValue[]): void {
  if (!isCoding(node)) return
  if (node.code !== undefined || node.display !== undefined) into.push(token(node.system, node.code, node.display))
}

function convertConcept(node: unknown, into: IndexValue[]): void {
  if (!isConcept(node)) return
  if (Array.isArray(node.coding)) for (const coding of node.coding) convertCoding(coding, into)
  if (typeof node.text === 'string') into.push(token(undefined, undefined, node.text))
}

function convertIdentifier(node: unknown, into: IndexValue[]): void {
  if (!isValued(node) || typeof node.value !== 'string') return
  const type = isConcept(node.type) ? node.type : undefined
  into.push({ ...token(node.system, node.value, type?.text), identifierTypes: codingsOf(type?.coding) })
}

function codingsOf(codings: unknown): { system: string | undefined; code: string }[] | undefined {
  if (!Array.isArray(codings)) return undefined
  return codings.flatMap((coding: unknown) =>
    isCoding(coding) && typeof coding.code === 'string' ? [{ system: textOf(coding.system), code: coding.code }] : [],
  )
}

/** `telecom=phone|+254…`: the standard leaves the system open, and the kind of contact is what people write there. */
function convertContactPoint(node: unknown, into: IndexValue[]): void {
  if (isValued(node) && typeof node.value === 'string') into.push(token(node.system, node.value))
}
