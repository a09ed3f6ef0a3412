import { hash } from 'node:crypto'
import { parseJson } from '../../../packages/fhir/parse-json.ts'
import { KeptContent } from '../../../packages/http/kept-content.ts'
import { madeOnce } from '../../../packages/http/made-once.ts'

export interface ShownCapabilities {
  readonly plain: () => KeptContent
  /** For `_pretty`. */
  readonly indented: () => KeptContent
}

export const shownCapabilities = (statement: () => string): ShownCapabilities => ({
  plain: madeOnce(() => keptText(statement())),
  indented: madeOnce(() => keptText(JSON.stringify(parseJson(statement()), undefined, 2))),
})

const keptText = (text: string): KeptContent =>
  new KeptContent({
    content: Buffer.from(text),
    contentType: 'application/fhir+json; charset=utf-8',
    version: hash('sha256', text).slice(0, 32),
  })
