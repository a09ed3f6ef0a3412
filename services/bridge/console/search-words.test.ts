import { describe, expect, it } from 'vitest'
import { filledWords, filterOf, hrefOfPage } from './search-words.ts'

describe('what stands in the search form', () => {
  it('counts only where something was typed', () => {
    expect(filledWords({ q: '  ', controlId: ' C1 ', status: '' })).toEqual({ controlId: 'C1' })
  })

  it.each([
    [{ errorCode: 'consent_denied' }, { errorCode: 'CONSENT_DENIED' }],
    [{ messageType: 'adt-a01' }, { messageType: 'ADT^A01' }],
    [{ messageType: 'ADT A01' }, { messageType: 'ADT^A01' }],
    [{ messageType: 'ADT^A01' }, { messageType: 'ADT^A01' }],
    [
      { status: 'ERROR', channelId: 'oru' },
      { status: 'ERROR', channelId: 'oru' },
    ],
    [
      { from: '2026-03-01', to: '2026-03-01' },
      { from: '2026-03-01', to: '2026-03-01' },
    ],
  ])('%j is %j to the log', (words, filter) => {
    expect(filterOf(words)).toEqual(filter)
  })

  it.each([
    ['a short text', { q: 'ab' }],
    ['days the wrong way round', { from: '2026-03-02', to: '2026-03-01' }],
    ['a status that there is not', { status: 'LOST' }],
    ['a channel that there is not', { channelId: 'fax' }],
  ])('%s is refused', (_what, words) => {
    expect(() => filterOf(words)).toThrow('This search cannot be carried out.')
  })

  it('makes an address of every page, whatever was typed', () => {
    expect(hrefOfPage({ controlId: 'a&b=<c>' }, 2)).toBe('/console/messages?controlId=a%26b%3D%3Cc%3E&page=2')
    expect(hrefOfPage({}, 0)).toBe('/console/messages')
  })
})
