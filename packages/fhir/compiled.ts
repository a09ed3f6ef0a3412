/**
 * The shape of `definitions.json`: what the build step keeps of the official R4 definitions. Absent keys mean the
 * common case (cardinality 0..1, no binding, any target), which is what keeps the file small and quick to load.
 */
export interface CompiledDefinitions {
  /** Of the inputs; a file with another fingerprint is made anew. */
  readonly fingerprint: string
  readonly fhirVersion: string
  /** By name; backbone elements by their path (`Patient.contact`). */
  readonly types: Readonly<Record<string, CompiledType>>
  /** By name of the value set: code system → its codes in the set. Only finite sets are here. */
  readonly codeSets: Readonly<Record<string, CodeSet>>
  /** By the type that defines them; those of `Resource` and `DomainResource` hold for every type below. */
  readonly parameters: Readonly<Record<string, readonly CompiledParameter[]>>
  /** Compartment (`Patient`) → type → codes of the parameters that put a resource into it. */
  readonly compartments: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>
}

export interface CompiledType {
  readonly kind: 'resource' | 'datatype' | 'backbone'
  /** Its elements come first; they are not repeated here. */
  readonly base?: string
  readonly abstract?: true
  readonly elements: readonly CompiledElement[]
}

export interface CompiledElement {
  /** Without `[x]`. */
  readonly name: string
  /** One type, or the types to choose from. */
  readonly types: readonly string[]
  readonly choice?: true
  readonly min?: number
  readonly max?: number | '*'
  /** Resource types that a Reference here may point to. */
  readonly targets?: readonly string[]
  /** Name of the code set of a required binding. */
  readonly codes?: string
  readonly summary?: true
  readonly modifier?: true
}

export type CodeSet = Readonly<Record<string, readonly string[]>>

const parameterTypes = [
  'number',
  'date',
  'string',
  'token',
  'reference',
  'composite',
  'quantity',
  'uri',
  'special',
] as const

export type ParameterType = (typeof parameterTypes)[number]

export interface CompiledParameter {
  readonly code: string
  readonly type: ParameterType
  readonly url: string
  /** None: the server answers it from elsewhere (`_text`, `_content`, `_query`, `_filter`). */
  readonly branches?: readonly PathBranch[]
  readonly targets?: readonly string[]
  readonly components?: readonly CompiledComponent[]
  /** Its expression is no path: the value is made by hand. */
  readonly special?: 'deceased'
}

export interface CompiledComponent {
  readonly code: string
  readonly type: ParameterType
  readonly branches: readonly PathBranch[]
}

/** One way from the resource to values of one known type: choices and unions are already taken apart. */
export interface PathBranch {
  readonly steps: readonly PathStep[]
  readonly type: string
  /** The code set of the element at the end, which gives a bare `code` its system. */
  readonly codes?: string
}

export type PathStep =
  /** To the member of this JSON name. */
  | string
  | { readonly where: string; readonly equals: string }
  | { readonly resolvesTo: string }
  | { readonly extension: string }
  | { readonly hasExtension: string }
  | { readonly index: number }
  /** Back to the resource itself (`%resource` inside a composite). */
  | { readonly root: true }
