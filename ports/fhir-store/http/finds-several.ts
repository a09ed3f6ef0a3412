import type { FhirRequest } from '../../../packages/fhir-http/fhir-caller.ts'
import type { OutboundResponse } from '../../../packages/http/outbound/outbound-response.ts'

/**
 * R4 has one status, 412, for criteria that find several resources, which no repetition heals, and for a version that is
 * no longer current, or a resource that should not be there yet, which reading again does. The code of the issue tells
 * them apart, else its words; a server that says neither is believed to mean the condition where the request has one.
 */
export function findsSeveral(response: Pick<OutboundResponse, 'json'>, request: FhirRequest): boolean {
  const issues = issuesOf(response)
  if (issues.some(({ code }) => code === 'multiple-matches')) return true
  if (issues.some(({ code }) => code === 'conflict')) return false
  return issues.some(({ text }) => ofSeveral.test(text)) || !hasCondition(request)
}

/** As HAPI, Azure and R4 itself put it. */
const ofSeveral = /\bmultiple\b|\bmore than one\b|\bmatched \d+ resources\b|\bnot selective enough\b/i

interface SaidIssue {
  readonly code: unknown
  readonly text: string
}

function issuesOf(response: Pick<OutboundResponse, 'json'>): SaidIssue[] {
  const { issue } = asObject(readOf(response))
  return (Array.isArray(issue) ? issue : []).map((one: unknown) => {
    const { code, details, diagnostics } = asObject(one)
    return { code, text: [asObject(details)['text'], diagnostics].filter((said) => typeof said === 'string').join(' ') }
  })
}

/** Between us and the server others may answer, with no JSON at all. */
function readOf(response: Pick<OutboundResponse, 'json'>): unknown {
  try {
    return response.json()
  } catch {
    return undefined
  }
}

/** In its header, or a transaction in one of its entries. */
function hasCondition({ headers, resource }: FhirRequest): boolean {
  if (headers?.['if-match'] !== undefined) return true
  const { entry } = asObject(resource)
  const isBound = (one: unknown) => {
    const { ifMatch, ifNoneMatch } = asObject(asObject(one)['request'])
    return ifMatch !== undefined || ifNoneMatch !== undefined
  }
  return Array.isArray(entry) && entry.some(isBound)
}

// Sound: every member is taken for unknown.
const asObject = (value: unknown) =>
  (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>
