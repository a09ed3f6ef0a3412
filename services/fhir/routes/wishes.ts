import { incorrect } from '../../../packages/faults/fault.ts'
import { formType, mediaTypeOf } from '../../../packages/http/body.ts'
import { headerOf, type IncomingRequest } from '../../../packages/http/request.ts'
import { shapeOf } from '../interactions/shape-of.ts'
import type { Shape } from '../search/ast.ts'
import { readText } from './read-body.ts'

/** How the caller wants the answer. */
export interface Wishes {
  readonly isPretty: boolean
  readonly returns: 'minimal' | 'representation' | 'OperationOutcome'
  /** Undefined: the caller did not say. */
  readonly preferred: Wishes['returns'] | undefined
  /** Unknown search parameters are an error (`Prefer: handling=strict`). */
  readonly isStrict: boolean
  readonly shape: Shape
  /** The form that is wanted, where it may be that of a Binary's content; if it is not, it has to be checked. */
  readonly accept: string | undefined
}

export function wishesOf(
  request: Pick<IncomingRequest, 'headers' | 'url' | 'rawBody'>,
  mayBeNative: boolean = false,
): Wishes {
  const query = new URLSearchParams(parametersOf(request))
  const [format, accept] = [query.get('_format'), headerOf(request, 'accept')]
  const isOpen = mayBeNative && format === null
  if (!isOpen) checkFormat(format, accept)
  checkSent(headerOf(request, 'content-type'))
  const prefer = headerOf(request, 'prefer') ?? ''
  const preferred = returns.find((word) => isPreferred(prefer, 'return', word))
  return {
    isPretty: query.get('_pretty') === 'true',
    returns: preferred ?? 'representation',
    preferred,
    isStrict: isPreferred(prefer, 'handling', 'strict'),
    shape: shapeOf(query),
    accept: isOpen ? accept : undefined,
  }
}

/** RFC 7240 section 2: a value may stand in quotes, and white space around the sign before it; some write nothing else between. */
function isPreferred(prefer: string, name: string, value: string): boolean {
  const parts = prefer.replaceAll(/\s?=\s?/g, '=').split(/[,;\s]/)
  return parts.some((one) => {
    const [said = '', given = ''] = one.toLowerCase().split('=')
    const bare = given.length > 1 && given.startsWith('"') && given.endsWith('"') ? given.slice(1, -1) : given
    return said === name && bare === value.toLowerCase()
  })
}

/** Those of the address; of a search that is sent as a form, those of the form, too. */
export const parametersOf = (request: Pick<IncomingRequest, 'headers' | 'url' | 'rawBody'>): string =>
  [queryOf(request), isForm(request) ? readText(request) : ''].filter((part) => part !== '').join('&')

const isForm = (request: Pick<IncomingRequest, 'headers'>): boolean =>
  mediaTypeOf(headerOf(request, 'content-type')) === formType

/** The query as sent, without the question mark. */
export function queryOf({ url }: Pick<IncomingRequest, 'url'>): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at + 1)
}

const returns = ['minimal', 'representation', 'OperationOutcome'] as const

/** `_format` stands above Accept. JSON is the only format. */
export function checkFormat(format: string | null, accept: string | undefined): void {
  // A plus sign that was not encoded has become a space.
  const wanted = format === null ? accept : format.replaceAll(' ', '+')
  if (wanted === undefined || wanted === '') return
  const isServed = (range: string) =>
    isOurVersion(range) && !isExcluded(range) && jsonNames.has(range.split(';', 1)[0]?.trim().toLowerCase() ?? '')
  if (wanted.split(',').some(isServed)) return
  throw incorrect('This server speaks JSON of FHIR R4. Ask for application/fhir+json.', { code: 'NOT_ACCEPTABLE' })
}

/** RFC 9110 section 12.4.2: a weight of nothing says what is not taken. */
const isExcluded = (range: string): boolean =>
  range.split(';').some((parameter) => {
    const [name = '', value = ''] = parameter.split('=')
    return name.trim().toLowerCase() === 'q' && value.trim() !== '' && Number(value) === 0
  })

function checkSent(contentType = ''): void {
  if (isOurVersion(contentType)) return
  throw incorrect('This server speaks FHIR R4. Send resources of fhirVersion 4.0.', { code: 'UNSUPPORTED_MEDIA_TYPE' })
}

/** R4 section 2.1.0.16: a media type may name the version of FHIR. */
function isOurVersion(mediaType: string): boolean {
  const version = /;\s*fhirVersion\s*=\s*"?([^\s";,]*)/i.exec(mediaType)?.[1]
  return version === undefined || version === '4.0' || version.startsWith('4.0.')
}

/** Browsers and simple programs ask for what they know; only who names nothing that could be JSON is refused. */
const jsonNames = new Set([
  'json',
  'application/json',
  'application/fhir+json',
  'application/json+fhir',
  'text/json',
  'application/*',
  'text/html',
  '*/*',
])
