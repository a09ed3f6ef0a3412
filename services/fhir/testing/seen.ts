/**
 * What tests look at in an answer, whatever it is: a resource, a bundle, an outcome or the capabilities. A test that
 * looks at what is not there fails by itself.
 */
export interface Seen {
  readonly resourceType: string
  readonly id: string
  readonly meta: { readonly versionId: string; readonly lastUpdated: string; readonly tag: readonly { code: string }[] }
  readonly active: boolean | undefined
  readonly gender: string
  readonly name: readonly { readonly family: string; readonly text: string }[]
  readonly contact: unknown
  readonly identifier: readonly { readonly value: string }[]
  readonly code: { readonly text: string }
  readonly subject: { readonly reference: string }
  readonly type: string
  readonly total: number
  readonly link: readonly { readonly relation: string; readonly url: string }[]
  readonly entry: readonly SeenEntry[]
  readonly issue: readonly {
    readonly severity: string
    readonly code: string
    readonly diagnostics: string
    readonly expression: readonly string[]
  }[]
  readonly fhirVersion: string
  readonly rest: readonly { readonly resource: readonly SeenCapability[]; readonly compartment: readonly string[] }[]
  readonly token_endpoint: string
}

interface SeenEntry {
  readonly fullUrl: string
  readonly resource: Seen
  readonly request: { readonly method: string; readonly url: string }
  readonly response: { readonly status: string; readonly location: string; readonly outcome: Seen }
}

interface SeenCapability {
  readonly type: string
  readonly documentation: string | undefined
  readonly interaction: readonly { readonly code: string }[]
  readonly searchRevInclude: readonly string[]
  readonly searchParam: readonly { readonly name: string; readonly type: string }[]
  readonly operation: readonly { readonly name: string; readonly documentation: string }[]
}
