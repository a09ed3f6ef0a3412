/** What the page at `/docs` shows of one service: the route table in words. A view turns it into HTML. */
export interface DocsModel {
  readonly title: string
  readonly version: string
  readonly description: string | undefined
  /** Where the machine-readable form lies. */
  readonly openApiPath: string
  /** In the order in which the routes first name them. */
  readonly groups: readonly DocsGroup[]
}

export interface DocsGroup {
  readonly tag: string
  readonly operations: readonly DocsOperation[]
}

export interface DocsOperation {
  /** Unique within the page, fit for a fragment: `post-api-consent-id-revoke`. */
  readonly id: string
  readonly method: string
  /** With braces: `/api/consent/{id}/revoke`. */
  readonly path: string
  readonly summary: string
  readonly description: string | undefined
  /** Who may call, in words: `roles CLINICIAN or ADMIN`. */
  readonly who: string
  readonly parameters: readonly DocsParameter[]
  readonly body: DocsBody | undefined
  readonly answers: readonly DocsAnswer[]
}

export interface DocsParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  /** In words: `text, at most 256 characters`. */
  readonly type: string
  readonly description: string | undefined
}

interface DocsBody {
  readonly mediaTypes: readonly string[]
  /** The JSON Schema, indented. */
  readonly schema: string
}

export interface DocsAnswer {
  readonly status: number
  readonly meaning: string
  readonly mediaType: string | undefined
  /** The JSON Schema, indented; undefined where the answer is no JSON. */
  readonly schema: string | undefined
}
