import { describe, expect, it } from 'vitest'
import { filledWords, hrefOfPage, readSearch } from './search-words.ts'

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
      { status: 'DEAD', facilityCode: 'CENTRAL', errorCode: '–' },
      { isDead: true, facilityCode: 'CENTRAL', errorCode: null },
    ],
    [
      { status: 'DEAD', facilityCode: '–', errorCode: 'INTERNAL' },
      { isDead: true, facilityCode: null, errorCode: 'INTERNAL' },
    ],
    [
      { from: '2026-03-01', to: '2026-03-01' },
      { from: '2026-03-01', to: '2026-03-01' },
    ],
  ])('%j is %j to the log', (words, filter) => {
    expect(readSearch(words)).toEqual({ is: 'read', filter })
  })

  it.each([
    ['a short text', { q: 'ab' }, { q: 'Give at least three letters.' }],
    ['days the wrong way round', { from: '2026-03-02', to: '2026-03-01' }, { from: 'This is after the last day.' }],
    ['a day that there is not', { from: '2026-13-45' }, { from: 'Give a day, such as 2026-03-14.' }],
    ['the 30th of February', { to: '2026-02-30' }, { to: 'Give a day, such as 2026-03-14.' }],
    ['no day at all', { from: 'yesterday', to: '2026-03-01' }, { from: 'Give a day, such as 2026-03-14.' }],
    ['a status that there is not', { status: 'LOST' }, { status: 'This is none of the statuses.' }],
    ['a channel that there is not', { channelId: 'fax' }, { channelId: 'This is none of the channels.' }],
  ])('%s is said at its field', (_what, words, faults) => {
    expect(readSearch(words)).toEqual({ is: 'wrong', faults })
  })

  it('makes an address of every page, whatever was typed', () => {
    expect(hrefOfPage({ controlId: 'a&b=<c>' }, 2, { size: 20 })).toBe(
      '/console/messages?controlId=a%26b%3D%3Cc%3E&page=2',
    )
    expect(hrefOfPage({ controlId: 'a' }, 2, { size: 5 })).toBe('/console/messages?controlId=a&page=2&size=5')
    expect(hrefOfPage({}, 0, { size: 5 })).toBe('/console/messages?page=0&size=5')
    expect(hrefOfPage({}, 0, { size: 20 })).toBe('/console/messages')
    expect(hrefOfPage({}, 0)).toBe('/console/messages')
  })
})
