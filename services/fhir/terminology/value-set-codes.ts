import { unprocessable } from '../../../packages/faults/fault.ts'
import { isVersion } from './canonical.ts'
import type { Inclusion, ShippedValueSet } from './content.ts'
import { Hierarchy } from './hierarchy.ts'
import { SetWork } from './set-work.ts'
import type { CodeSystemFacts, Concept, TerminologySource } from './source.ts'

interface CodeInSet {
  readonly system: string
  readonly code: string
  readonly display: string | undefined
}

export interface SetCodes {
  /** In the order of the value set, each once. */
  readonly codes: readonly CodeInSet[]
  /**
   * The code systems of which only a part is here, by address, and their names: codes of theirs may be in the set, too.
   * Under anySystem a value set of which only a part is here.
   */
  readonly partly: Partly
}

/** Codes of every system may be lacking. */
export const anySystem = '*'

type Partly = ReadonlyMap<string, string>

/** The codes of a value set; undefined where it or a part of it is not known. */
export async function codesOf(
  canonical: string,
  source: TerminologySource,
  work = new SetWork(),
): Promise<SetCodes | undefined> {
  return knownCodesOf(canonical, { source, work, known: new Map(), systems: new Map(), depth: 0 })
}

interface Asking {
  readonly source: TerminologySource
  readonly work: SetWork
  /** Each set is looked up once: eight that name the next five times each would be 390,625 look-ups. */
  readonly known: Map<string, SetCodes | undefined>
  readonly systems: Map<string, KnownSystem>
  readonly depth: number
}

async function knownCodesOf(canonical: string, asking: Asking): Promise<SetCodes | undefined> {
  const { known, work } = asking
  if (!known.has(canonical)) {
    work.takeQuestion()
    known.set(canonical, await lookUp(canonical, asking))
  }
  return known.get(canonical)
}

async function lookUp(canonical: string, asking: Asking): Promise<SetCodes | undefined> {
  const valueSet = await asking.source.valueSet(canonical)
  if (valueSet === undefined) return undefined
  // To ask again would not help: it is the sets that are wrong, and not the hour.
  if (asking.depth > depthMax) throw unprocessable('The value sets include each other in a circle.')
  const included = await allOf(valueSet.include, asking)
  const excluded = await allOf(valueSet.exclude ?? [], asking)
  if (included === undefined || excluded === undefined) return undefined
  const codes = [...included.codes].filter(([key]) => !excluded.codes.has(key)).map(([, code]) => code)
  const own: [string, string][] = valueSet.isPart === true ? [[anySystem, valueSet.name]] : []
  return { codes, partly: new Map([...included.partly, ...excluded.partly, ...own]) }
}

const depthMax = 8

interface PartCodes {
  readonly codes: ReadonlyMap<string, CodeInSet>
  readonly partly: Partly
}

async function allOf(parts: ShippedValueSet['include'], asking: Asking): Promise<PartCodes | undefined> {
  const codes = new Map<string, CodeInSet>()
  const partly = new Map<string, string>()
  for (const part of parts) {
    const found = await codesOfPart(part, asking)
    if (found === undefined) return undefined
    for (const [key, code] of found.codes) if (!codes.has(key)) codes.set(key, code)
    for (const [system, name] of found.partly) partly.set(system, name)
    await asking.work.turn()
  }
  return { codes, partly }
}

/** What a part names must be in each of its value sets too; without a system those alone say what is in it. */
async function codesOfPart(part: Inclusion, asking: Asking): Promise<PartCodes | undefined> {
  const { work, depth } = asking
  let all = part.system === undefined ? undefined : await codesOfSystem(part, part.system, asking)
  if (part.system !== undefined && all === undefined) return undefined
  for (const canonical of part.valueSets ?? []) {
    const others = await knownCodesOf(canonical, { ...asking, depth: depth + 1 })
    if (others === undefined) return undefined
    work.take(others.codes.length + (all?.codes.size ?? 0))
    const keyed = new Map(others.codes.map((code) => [keyOf(code), code]))
    all =
      all === undefined
        ? { codes: keyed, partly: others.partly }
        : {
            codes: new Map([...all.codes].filter(([key]) => keyed.has(key))),
            partly: new Map([...all.partly, ...others.partly]),
          }
  }
  return all
}

async function codesOfSystem(part: Inclusion, system: string, asking: Asking): Promise<PartCodes | undefined> {
  const { codes, below, version } = part
  // Codes that are named need no code system behind them.
  const { facts, hierarchy } =
    codes === undefined
      ? await knownSystem(system, asking)
      : { facts: undefined, hierarchy: new Hierarchy(await named(codes, system, asking)) }
  if (hierarchy === undefined || (facts !== undefined && !isVersion(version, facts.version))) return undefined
  const wanted =
    below === undefined ? hierarchy.concepts : hierarchy.inOrder(await codesBelow(below, hierarchy, asking.work))
  asking.work.take(wanted.length)
  return {
    codes: new Map(wanted.map(({ code, display }) => [keyOf({ system, code }), { system, code, display }])),
    partly: new Map(facts === undefined || facts.isComplete ? [] : [[system, facts.name]]),
  }
}

interface KnownSystem {
  readonly facts: CodeSystemFacts | undefined
  readonly hierarchy: Hierarchy | undefined
}

/** What many parts take their codes from is asked for once. */
async function knownSystem(system: string, { source, systems, work }: Asking): Promise<KnownSystem> {
  let known = systems.get(system)
  if (known === undefined) {
    work.takeQuestion()
    const facts = await source.codeSystem(system)
    const concepts = await source.concepts(system)
    work.takeSystem(concepts?.length ?? 0)
    known = { facts, hierarchy: concepts === undefined ? undefined : new Hierarchy(concepts) }
    systems.set(system, known)
  }
  return known
}

/** The codes for which every filter holds. */
async function codesBelow(
  filters: NonNullable<Inclusion['below']>,
  hierarchy: Hierarchy,
  work: SetWork,
): Promise<Iterable<string>> {
  let left: readonly string[] | undefined
  for (const { code, isSelfIn } of filters) {
    const inside = hierarchy.subtree(code)
    work.take(1 + inside.size)
    left = (left ?? [...inside]).filter((one) => inside.has(one) && (isSelfIn || one !== code))
    if (left.length === 0) break
    await work.turn()
  }
  return left ?? []
}

/** The set may give its own displays; otherwise the code system's are taken, all in one question. */
async function named(
  codes: NonNullable<Inclusion['codes']>,
  system: string,
  { source, work }: Asking,
): Promise<Concept[]> {
  const nameless = codes.filter(([, display]) => typeof display !== 'string').map(([code]) => code)
  if (nameless.length > 0) work.takeQuestion()
  const displays = nameless.length === 0 ? undefined : await source.displays(system, nameless)
  return codes.map(([code, display]) => ({ code, display: display ?? displays?.get(code), parents: [] }))
}

/** How a code is found again among those of other systems. */
export const keyOf = ({ system, code }: { readonly system: string; readonly code: string }) => `${system}|${code}`
