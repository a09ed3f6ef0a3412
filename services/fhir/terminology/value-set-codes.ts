import { unprocessable } from '../../../packages/faults/fault.ts'
import type { Inclusion, ShippedValueSet } from './content.ts'
import { subtree } from './hierarchy.ts'
import type { Concept, TerminologySource } from './source.ts'

interface CodeInSet {
  readonly system: string
  readonly code: string
  readonly display: string | undefined
}

/** Every code of the value set in its order, each once; undefined where it or a part of it is not known. */
export async function codesOf(
  url: string,
  source: TerminologySource,
  depth = 0,
): Promise<readonly CodeInSet[] | undefined> {
  const valueSet = await source.valueSet(url)
  if (valueSet === undefined) return undefined
  // To ask again would not help: it is the sets that are wrong, and not the hour.
  if (depth > depthMax) throw unprocessable('The value sets include each other in a circle.')
  const included = await allOf(valueSet.include, source, depth)
  const excluded = await allOf(valueSet.exclude ?? [], source, depth)
  if (included === undefined || excluded === undefined) return undefined
  for (const key of excluded.keys()) included.delete(key)
  return [...included.values()]
}

const depthMax = 8

type Codes = Map<string, CodeInSet>

async function allOf(
  parts: ShippedValueSet['include'],
  source: TerminologySource,
  depth: number,
): Promise<Codes | undefined> {
  const all: Codes = new Map()
  for (const part of parts) {
    const codes = await codesOfPart(part, source, depth)
    if (codes === undefined) return undefined
    for (const [key, code] of codes) if (!all.has(key)) all.set(key, code)
  }
  return all
}

/** What a part names must be in each of its value sets too; without a system those alone say what is in it. */
async function codesOfPart(part: Inclusion, source: TerminologySource, depth: number): Promise<Codes | undefined> {
  let codes = part.system === undefined ? undefined : await codesOfSystem(part, part.system, source)
  if (part.system !== undefined && codes === undefined) return undefined
  for (const url of part.valueSets ?? []) {
    const others = await codesOf(url, source, depth + 1)
    if (others === undefined) return undefined
    const keyed: Codes = new Map(others.map((code) => [keyOf(code), code]))
    codes = codes === undefined ? keyed : new Map([...codes].filter(([key]) => keyed.has(key)))
  }
  return codes
}

async function codesOfSystem(part: Inclusion, system: string, source: TerminologySource): Promise<Codes | undefined> {
  const { codes, below } = part
  const concepts = codes === undefined ? await source.concepts(system) : await named(codes, system, source)
  if (concepts === undefined) return undefined
  const wanted = (below ?? []).reduce((left, { code, isSelfIn }) => {
    const inside = subtree(concepts, code)
    return left.filter((concept) => inside.has(concept.code) && (isSelfIn || concept.code !== code))
  }, concepts)
  return new Map(wanted.map(({ code, display }) => [keyOf({ system, code }), { system, code, display }]))
}

/** The set may give its own displays; otherwise the code system's are taken, all in one question. */
async function named(
  codes: NonNullable<Inclusion['codes']>,
  system: string,
  source: TerminologySource,
): Promise<Concept[]> {
  const nameless = codes.filter(([, display]) => typeof display !== 'string').map(([code]) => code)
  const displays = nameless.length === 0 ? undefined : await source.displays(system, nameless)
  return codes.map(([code, display]) => ({ code, display: display ?? displays?.get(code), parent: undefined }))
}

const keyOf = ({ system, code }: { readonly system: string; readonly code: string }) => `${system}|${code}`
