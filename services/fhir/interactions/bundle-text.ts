/** An entry whose resource is already JSON: contents are spliced in, never parsed. */
export interface BundleEntry {
  readonly fullUrl?: string
  /** JSON of the resource. */
  readonly resource?: string | undefined
  /** The other members, in their order: search, request, response. */
  readonly rest?: object
}

interface BundleHead {
  readonly type: 'searchset' | 'history' | 'batch-response' | 'transaction-response'
  readonly total?: number | undefined
  readonly links?: readonly { readonly relation: string; readonly url: string }[]
}

export function bundleText({ type, total, links = [] }: BundleHead, entries: readonly BundleEntry[]): string {
  const head = JSON.stringify({
    resourceType: 'Bundle',
    type,
    ...(total === undefined ? {} : { total }),
    ...(links.length === 0 ? {} : { link: links }),
  })
  if (entries.length === 0) return head
  return `${head.slice(0, -1)},"entry":[${entries.map(entryText).join()}]}`
}

function entryText({ fullUrl, resource, rest = {} }: BundleEntry): string {
  const members = [
    ...(fullUrl === undefined ? [] : [`"fullUrl":${JSON.stringify(fullUrl)}`]),
    ...(resource === undefined ? [] : [`"resource":${resource}`]),
    ...Object.entries(rest).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`),
  ]
  return `{${members.join()}}`
}
