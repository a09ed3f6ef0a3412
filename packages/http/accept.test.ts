import { describe, expect, it } from 'vitest'
import { prefersHtml, takesHtml } from './accept.ts'

describe('what is accepted', () => {
  it.each<[string, string | undefined, boolean, boolean]>([
    ['of a browser', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true, true],
    ['in capitals', 'Text/HTML', true, true],
    ['of curl', '*/*', false, true],
    ['unsaid', undefined, false, true],
    ['any text', 'text/*', false, true],
    ['JSON', 'application/json', false, false],
    ['problem details', 'application/problem+json', false, false],
    ['FHIR', 'application/fhir+json', false, false],
    ['JSON, or else anything, as programs in browsers say', 'application/json, text/plain, */*', false, false],
    ['JSON, or less gladly anything', 'application/json, */*;q=0.5', false, false],
    ['HTML, or less gladly JSON', 'text/html, application/json;q=0.9', true, true],
    ['HTML less gladly than JSON', 'text/html;q=0.5, application/json', false, false],
    ['HTML not at all', 'text/html;q=0', false, false],
    ['HTML with a weight that is none', 'text/html;q=much', false, false],
    ['a picture', 'image/png', false, false],
    ['events', 'text/event-stream', false, false],
    ['nothing', '', false, false],
  ])('%s: HTML is preferred %#', (_what, accept, prefers, takes) => {
    expect([prefersHtml(accept), takesHtml(accept)]).toEqual([prefers, takes])
  })
})
