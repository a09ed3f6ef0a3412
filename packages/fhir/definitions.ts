import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { choiceName } from './choice-name.ts'
import type { CodeSet, CompiledDefinitions, CompiledElement, CompiledParameter, CompiledType } from './compiled.ts'
import { modifiersByType, prefixesByType } from './search/modifiers.ts'

/** The R4 definitions: some megabytes that never change, so all services of a process share the ones that were read. */
export function loadDefinitions(): Promise<Definitions> {
  loaded ??= readDefinitions().catch((thrown: unknown) => {
    loaded = undefined
    throw thrown
  })
  return loaded
}

let loaded: Promise<Definitions> | undefined

/**
 * Reads the compiled definitions. The built program reads the file that the build left beside this one; from sources
 * (tests) the file is made first if need be.
 */
async function readDefinitions(): Promise<Definitions> {
  const isBuilt = import.meta.url.endsWith('.js')
  const file = fileURLToPath(
    new URL(isBuilt ? './definitions.json' : '../../dist/packages/fhir/definitions.json', import.meta.url),
  )
  if (!isBuilt) {
    const { ensureCompiled } = await import('./compile/compile.ts')
    ensureCompiled(file)
  }
  // The build step wrote it in this shape, and its fingerprint belongs to this version.
  return new Definitions(JSON.parse(await readFile(file, 'utf8')) as CompiledDefinitions)
}

export interface SearchParameter extends CompiledParameter {
  readonly modifiers: readonly string[]
  readonly prefixes: readonly string[]
}

/** The R4 definitions, typed. Immutable once loaded; what is derived from them is kept. */
export class Definitions {
  readonly fhirVersion: string
  /** All concrete resource types, in alphabetical order. */
  readonly resourceTypes: ReadonlySet<string>
  private readonly compiled: CompiledDefinitions
  private readonly types: ReadonlyMap<string, CompiledType>
  private readonly elements = new Map<string, readonly CompiledElement[]>()
  private readonly parameters = new Map<string, ReadonlyMap<string, SearchParameter>>()

  constructor(compiled: CompiledDefinitions) {
    this.compiled = compiled
    this.fhirVersion = compiled.fhirVersion
    this.types = new Map(Object.entries(compiled.types))
    this.resourceTypes = new Set(
      [...this.types].filter(([, type]) => type.kind === 'resource' && type.abstract !== true).map(([name]) => name),
    )
  }

  /** A resource type, data type or backbone element (`Patient.contact`). */
  type(name: string): CompiledType | undefined {
    return this.types.get(name)
  }

  /** The elements of a type, inherited ones first. */
  elementsOf(name: string): readonly CompiledElement[] {
    const known = this.elements.get(name)
    if (known !== undefined) return known
    const type = this.types.get(name)
    if (type === undefined) return []
    const elements = type.base === undefined ? type.elements : [...this.elementsOf(type.base), ...type.elements]
    this.elements.set(name, elements)
    return elements
  }

  /** Top-level elements that `_summary=true` keeps. */
  summaryElements(resourceType: string): string[] {
    return this.elementsOf(resourceType).filter(isSummary).flatMap(jsonNamesOf)
  }

  /** Top-level elements that are mandatory; `_elements` and `_summary` may not leave them out. */
  mandatoryElements(resourceType: string): string[] {
    return this.elementsOf(resourceType).filter(isMandatory).flatMap(jsonNamesOf)
  }

  /** Top-level elements that change the meaning of the others and so must never be left out unseen. */
  modifierElements(resourceType: string): string[] {
    return this.elementsOf(resourceType).filter(isModifier).flatMap(jsonNamesOf)
  }

  codeSet(name: string): CodeSet | undefined {
    return this.compiled.codeSets[name]
  }

  /** Every search parameter of a resource type by its code, those of all resources included. */
  parametersOf(resourceType: string): ReadonlyMap<string, SearchParameter> {
    const known = this.parameters.get(resourceType)
    if (known !== undefined) return known
    if (!this.types.has(resourceType)) return noParameters
    const parameters = new Map(this.collectParameters(resourceType).map((parameter) => [parameter.code, parameter]))
    this.parameters.set(resourceType, parameters)
    return parameters
  }

  parameter(resourceType: string, code: string): SearchParameter | undefined {
    return this.parametersOf(resourceType).get(code)
  }

  get compartmentNames(): string[] {
    return Object.keys(this.compiled.compartments)
  }

  /** Codes of the parameters that put a resource of this type into the compartment; none if it never is in one. */
  compartmentParameters(compartment: string, resourceType: string): readonly string[] {
    if (!this.resourceTypes.has(compartment) || !this.resourceTypes.has(resourceType)) return []
    return this.compiled.compartments[compartment]?.[resourceType] ?? []
  }

  private collectParameters(type: string): SearchParameter[] {
    const base = this.types.get(type)?.base
    const own = (this.compiled.parameters[type] ?? []).map((parameter) =>
      Object.assign({}, parameter, {
        modifiers: modifiersByType[parameter.type],
        prefixes: prefixesByType[parameter.type],
      }),
    )
    return base === undefined ? own : [...this.collectParameters(base), ...own]
  }
}

const noParameters: ReadonlyMap<string, SearchParameter> = new Map()

const isSummary = (element: CompiledElement) => element.summary === true
const isMandatory = (element: CompiledElement) => (element.min ?? 0) > 0
const isModifier = (element: CompiledElement) => element.modifier === true

/** The names under which an element stands in JSON: one, or one a type of the choice. */
export const jsonNamesOf = (element: CompiledElement): string[] =>
  element.choice === true ? element.types.map((type) => choiceName(element.name, type)) : [element.name]
