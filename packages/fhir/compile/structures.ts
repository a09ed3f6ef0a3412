import type { ElementDefinition, ElementDefinitionType, StructureDefinition } from '../r4.ts'
import type { CompiledElement, CompiledType } from '../compiled.ts'
import type { PackageFolder } from './package-folder.ts'

const definitionPrefix = 'http://hl7.org/fhir/StructureDefinition/'
const fhirTypeExtension = `${definitionPrefix}structuredefinition-fhir-type`

/** Every resource type, data type and backbone element of R4, each with its own elements only. */
export function compileStructures(folder: PackageFolder): Record<string, CompiledType> {
  const types: Record<string, CompiledType> = {}
  for (const name of folder.ids('StructureDefinition', /^[A-Z][A-Za-z]*$/)) {
    const definition = folder.read('StructureDefinition', name)
    if (definition.derivation === 'constraint' || definition.kind === 'logical') continue
    compileStructure(definition, types)
  }
  return types
}

function compileStructure(definition: StructureDefinition, types: Record<string, CompiledType>): void {
  const elements = definition.snapshot?.element ?? []
  const parents = new Set(elements.filter(hasOwnChildren(elements)).map((element) => element.path))
  for (const parent of parents) {
    const isRoot = parent === definition.type
    const base = isRoot ? baseOf(definition) : 'BackboneElement'
    const isElement = !isRoot && elements.find((element) => element.path === parent)?.type?.[0]?.code === 'Element'
    types[parent] = {
      kind: isRoot ? (definition.kind === 'resource' ? 'resource' : 'datatype') : 'backbone',
      ...(base === undefined ? {} : { base: isElement ? 'Element' : base }),
      ...(isRoot && definition.abstract ? { abstract: true as const } : {}),
      elements: elements
        .filter((element) => isChild(element.path, parent) && isOwn(element))
        .map((element) => compileElement(element, parents)),
    }
  }
}

const hasOwnChildren = (elements: readonly ElementDefinition[]) => (element: ElementDefinition) =>
  elements.some((other) => isChild(other.path, element.path))

const isChild = (path: string, parent: string) =>
  path.startsWith(`${parent}.`) && !path.includes('.', parent.length + 1)

/** An inherited element names its origin as its base. */
const isOwn = (element: ElementDefinition) => element.base === undefined || element.base.path === element.path

const baseOf = (definition: StructureDefinition) => definition.baseDefinition?.slice(definitionPrefix.length)

function compileElement(element: ElementDefinition, parents: ReadonlySet<string>): CompiledElement {
  const lastName = element.path.slice(element.path.lastIndexOf('.') + 1)
  const isChoice = lastName.endsWith('[x]')
  const targets = (element.type ?? []).flatMap(targetsOf)
  return {
    name: isChoice ? lastName.slice(0, -3) : lastName,
    types: typesOf(element, parents),
    ...(isChoice ? { choice: true as const } : {}),
    ...(element.min === 0 ? {} : { min: element.min ?? 0 }),
    ...(element.max === '1' ? {} : { max: element.max === '*' ? ('*' as const) : Number(element.max) }),
    ...(targets.length === 0 || targets.includes('Resource') ? {} : { targets: [...new Set(targets)] }),
    ...(element.binding?.strength === 'required' ? { codes: element.binding.valueSet ?? '' } : {}),
    ...(element.isSummary === true ? { summary: true as const } : {}),
    ...(element.isModifier === true ? { modifier: true as const } : {}),
  }
}

function typesOf(element: ElementDefinition, parents: ReadonlySet<string>): string[] {
  if (element.contentReference !== undefined) return [element.contentReference.slice(1)]
  if (parents.has(element.path)) return [element.path]
  if (element.path === 'Resource.id') return ['id']
  return (element.type ?? []).map((type) => fhirTypeOf(type))
}

/** `id` and the like are declared with a FHIRPath system type; an extension names the FHIR type. */
function fhirTypeOf(type: ElementDefinitionType): string {
  if (!type.code.startsWith('http://hl7.org/fhirpath/')) return type.code
  return type.extension?.find((extension) => extension.url === fhirTypeExtension)?.valueUrl ?? 'string'
}

const targetsOf = (type: ElementDefinitionType) =>
  type.code === 'Reference' ? (type.targetProfile ?? ['Resource']).map((url) => url.split('/').at(-1) ?? url) : []
