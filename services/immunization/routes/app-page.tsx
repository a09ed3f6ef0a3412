import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { VNode } from 'preact'
import { Fault } from '../../../packages/faults/fault.ts'
import { reply, type ReplyHeaders } from '../../../packages/http/answer.ts'
import { bytes, nothing } from '../../../packages/http/content.ts'
import { headerOf, type IncomingRequest } from '../../../packages/http/request.ts'
import { renderPage } from '../../../packages/views/render.ts'
import type { ImmunizationDeps } from '../deps.ts'
import type { PatientRecord } from '../read-model/patient-record.ts'
import { summaryOf, type Summary } from '../read-model/summary.ts'
import type { Session } from '../session/session.ts'
import { toStart, type Visit } from '../session/visitor.ts'
import type { AppFrame } from '../views/app-layout.tsx'
import { causeOf, TroublePage } from '../views/trouble-page.tsx'
import { languageOf, rememberLanguage } from '../../../packages/views/words/choose-language.ts'
import { wordsOf } from '../words/words.ts'
import { frameOf } from './frame.ts'

const content = bytes('text/html; charset=utf-8')

/** What every page behind a launch may answer. */
export const pageOutput = { 200: content, 302: nothing, 500: content } as const

interface PageInput {
  readonly caller: Visit
  readonly query: { readonly lang?: string | undefined }
  readonly request: IncomingRequest
}

/** What a page is made of. */
interface PageParts {
  readonly frame: AppFrame
  readonly record: PatientRecord
  readonly summary: Summary
  readonly today: string
  readonly session: Session
}

/** A page of the record: needs a session, and says in the reader's language why it cannot be shown. */
export async function appPage(
  { caller, query, request }: PageInput,
  deps: ImmunizationDeps,
  view: (parts: PageParts) => VNode | Promise<VNode>,
) {
  const { settings, records } = deps
  if (caller.is !== 'open') return toStart(caller, settings)
  const { session } = caller
  const words = wordsOf(languageOf(request, query.lang, settings))
  try {
    const record = await records.of(session)
    const today = records.today()
    const summary = summaryOf(record, today)
    const frame = frameOf({ session, record, summary, words, today }, deps)
    const node = await view({ frame, record, summary, today, session })
    const { body, headers } = await packed(renderPage(node), request)
    return reply(200, body, { ...headers, ...rememberLanguage(query.lang, settings) })
  } catch (error) {
    if (error instanceof Fault && error.kind === 'unauthenticated') return toStart({ is: 'over' }, settings)
    if (!(error instanceof Fault) || error.kind !== 'unavailable') throw error
    deps.log.warn('page could not be shown', { faultCode: error.code ?? error.kind, requestId: request.id })
    const model = { words, cause: causeOf(error.code), address: request.url, requestId: request.id }
    const { body, headers } = await packed(renderPage(<TroublePage model={model} assetUrl={deps.assetUrl} />), request)
    return reply(500, body, headers)
  }
}

const brotli = promisify(brotliCompress)
const fast = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }

/**
 * Compressed where the browser takes it: a long history is a tenth of its size, on a phone's connection the difference
 * between a second and none. The pages hold no secret that a guess in the address could be compared with (BREACH).
 */
async function packed(markup: string, request: IncomingRequest): Promise<{ body: Uint8Array; headers: ReplyHeaders }> {
  const plain = Buffer.from(markup)
  const takesBrotli = /(^|[\s,])br($|[\s,;])/.test(headerOf(request, 'accept-encoding') ?? '')
  const common = { vary: 'Accept-Encoding, Accept-Language, Cookie' }
  if (!takesBrotli) return { body: plain, headers: common }
  return { body: await brotli(plain, fast), headers: { ...common, 'content-encoding': 'br' } }
}
