import { unreachable } from '../../../packages/faults/fault.ts'
import type { Definitions } from '../../../packages/fhir/definitions.ts'
import { parseJson } from '../../../packages/fhir/parse-json.ts'
import { reply, type Reply, type ReplyHeaders } from '../../../packages/http/answer.ts'
import { nothing, plainText, type Content } from '../../../packages/http/content.ts'
import type { Interaction } from '../audit/audited-access.ts'
import type { Answer } from '../interactions/answer.ts'
import { etagOf, locationOf } from '../interactions/entry-response.ts'
import { allWell } from '../interactions/invalid-resource.ts'
import { shaped } from '../search/bundle/shape.ts'
import type { Stored } from '../store/change.ts'
import { nativeContent } from './native-content.ts'
import { checkFormat, type Wishes } from './wishes.ts'

/** The content of a Binary is sent as the bytes that it is. */
export const fhirJson: Content<string | Uint8Array> = plainText('application/fhir+json; charset=utf-8')

const fhirOutput = { 200: fhirJson, 201: fhirJson, 204: nothing, 304: nothing } as const

/** What the route of an interaction may answer. */
// Sound: an answer that the table does not have is refused where it would be sent, as that of any route.
export const outputOf = (interaction: Interaction) => outputs[interaction] as typeof fhirOutput

const whole = { 200: fhirJson } as const
const written = { 200: fhirJson, 201: fhirJson } as const

const outputs: Readonly<Record<Interaction, Partial<typeof fhirOutput>>> = {
  create: written,
  read: { ...whole, 304: nothing },
  vread: whole,
  update: written,
  patch: whole,
  // With an OperationOutcome for whoever prefers one.
  delete: { ...whole, 204: nothing },
  'search-type': whole,
  'search-system': whole,
  'history-instance': whole,
  'history-type': whole,
  'history-system': whole,
  operation: whole,
}

type FhirReply = Reply<200 | 201, string | Uint8Array> | Reply<204 | 304, void>

/** An answer in the words of HTTP, as the caller wants it. */
export function respond(
  answer: Answer,
  wishes: Wishes,
  { base, definitions }: { readonly base: string; readonly definitions: Definitions },
): FhirReply {
  switch (answer.kind) {
    case 'found': {
      const { type, content = '' } = answer.stored
      if (wishes.accept !== undefined) {
        const native = nativeContent(answer.stored, wishes.accept)
        if (native !== undefined) {
          return reply(200, native.body, { ...versionHeaders(answer.stored, base), ...native.headers })
        }
        checkFormat(null, wishes.accept)
      }
      const text = shaped(content, type, wishes.shape, definitions)
      return reply(200, printed(text, wishes), versionHeaders(answer.stored, base))
    }
    case 'not-modified':
      return reply(304, undefined, versionHeaders(answer.stored, base))
    case 'created':
      return reply(201, writtenBody(answer.stored, wishes), {
        ...versionHeaders(answer.stored, base),
        location: locationOf(answer.stored, base),
      })
    case 'changed-unseen':
      return respond(
        { kind: 'updated', stored: answer.stored },
        { ...wishes, returns: wishes.returns === 'OperationOutcome' ? 'OperationOutcome' : 'minimal' },
        { base, definitions },
      )
    case 'updated':
    case 'kept':
      return reply(200, writtenBody(answer.stored, wishes), {
        ...versionHeaders(answer.stored, base),
        location: locationOf(answer.stored, base),
      })
    case 'deleted':
      if (wishes.preferred === 'OperationOutcome') return reply(200, printed(wellText(), wishes))
      return reply(204, undefined, { etag: etagOf(answer.stored) })
    case 'absent':
      if (wishes.preferred === 'OperationOutcome') return reply(200, printed(wellText(), wishes))
      return reply(204, undefined)
    case 'made':
      return reply(200, printed(answer.content, wishes))
    default:
      return unreachable(answer)
  }
}

function writtenBody({ content = '' }: Stored, wishes: Wishes): string {
  switch (wishes.returns) {
    case 'minimal':
      return ''
    case 'OperationOutcome':
      return printed(wellText(), wishes)
    case 'representation':
      return printed(content, wishes)
    default:
      return unreachable(wishes.returns)
  }
}

const wellText = () => JSON.stringify(allWell('The request was carried out.'))

/** Stored contents are sent as they are; only who asks for indentation has them read and written anew. */
const printed = (content: string, { isPretty }: Wishes) =>
  isPretty ? JSON.stringify(parseJson(content), undefined, 2) : content

function versionHeaders(stored: Stored, base: string): ReplyHeaders {
  return {
    etag: etagOf(stored),
    'last-modified': stored.lastUpdated.toUTCString(),
    'content-location': locationOf(stored, base),
  }
}
