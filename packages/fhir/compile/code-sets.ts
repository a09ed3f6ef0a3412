import type { CodeSystem, CodeSystemConcept, ValueSetComposeInclude } from '../r4.ts'
import type { CodeSet, CompiledType } from '../compiled.ts'
import type { PackageFolder } from './package-folder.ts'

/** Whose codes are rules or licensed lists rather than a finite table in the package. */
const openSets = new Set(['mimetypes', 'ucum-units', 'currencies', 'LL379-9'])

/** Expands the value sets of required bindings and puts their short names into the elements. */
export function compileCodeSets(
  types: Record<string, CompiledType>,
  folder: PackageFolder,
): { types: Record<string, CompiledType>; codeSets: Record<string, CodeSet> } {
  const codeSets: Record<string, CodeSet> = {}
  const named = Object.entries(types).map(([name, type]): [string, CompiledType] => {
    const elements = type.elements.map((element) => {
      if (element.codes === undefined) return element
      const { codes, ...rest } = element
      const setName = shortName(codes)
      if (openSets.has(setName)) return rest
      codeSets[setName] ??= expand(setName, folder)
      return { ...rest, codes: setName }
    })
    return [name, { ...type, elements }]
  })
  return { types: Object.fromEntries(named), codeSets }
}

const shortName = (url: string) => (url.split('|')[0] ?? url).split('/').at(-1) ?? url

function expand(name: string, folder: PackageFolder): CodeSet {
  const valueSet = folder.read('ValueSet', name)
  if (valueSet.compose?.exclude !== undefined) throw new Error(`The value set ${name} excludes codes; add support.`)
  const codes = new Map<string, Set<string>>()
  for (const include of valueSet.compose?.include ?? []) {
    const system = include.system ?? ''
    const known = codes.get(system) ?? new Set()
    for (const code of codesOf(include, folder)) known.add(code)
    codes.set(system, known)
  }
  return Object.fromEntries([...codes].map(([system, known]) => [system, [...known]]))
}

function codesOf(include: ValueSetComposeInclude, folder: PackageFolder): string[] {
  if (include.concept !== undefined) return include.concept.map((concept) => concept.code)
  if (include.filter !== undefined || include.valueSet !== undefined || include.system === undefined) {
    throw new Error(`The value set includes ${include.system} by a filter; add support.`)
  }
  return flatten(findCodeSystem(include.system, folder).concept ?? [])
}

/** The file is nearly always named after the end of the address. */
function findCodeSystem(url: string, folder: PackageFolder): CodeSystem {
  const id = shortName(url)
  const first = folder.has('CodeSystem', id) ? folder.read('CodeSystem', id) : undefined
  if (first?.url === url) return first
  for (const other of folder.ids('CodeSystem', /./)) {
    const system = folder.read('CodeSystem', other)
    if (system.url === url) return system
  }
  throw new Error(`The code system ${url} is not in the package.`)
}

const flatten = (concepts: readonly CodeSystemConcept[]): string[] =>
  concepts.flatMap((concept) => [concept.code, ...flatten(concept.concept ?? [])])
