import { describe, expect, it } from 'vitest'
import { keyFrom, openWith, sealWith } from './sealed-box.ts'

const key = keyFrom('a secret', 'a test')

describe('a sealed box', () => {
  it.each(['', 'JBSWY3DPEHPK3PXP', 'Ábebe 🦠'])('keeps %j', (text) => {
    const [first, second] = [sealWith(key, text, 'amara'), sealWith(key, text, 'amara')]
    expect(first).not.toBe(second)
    expect([openWith(key, first, 'amara'), openWith(key, second, 'amara')]).toEqual([text, text])
  })

  it.each([
    ['with a key for another purpose', keyFrom('a secret', 'another'), 'amara'],
    ['with a key of another secret', keyFrom('another', 'a test'), 'amara'],
    ['for another', key, 'baraka'],
    ['for nobody', key, undefined],
  ])('does not open %s', (_how, other, of) => {
    const sealed = sealWith(key, 'secret', 'amara')
    expect(() => openWith(other, sealed, of)).toThrow('unable to authenticate')
  })

  it('does not open when any of its bytes was changed', () => {
    const bytes = Buffer.from(sealWith(key, 'secret'), 'base64url')
    for (let at = 0; at < bytes.length; at++) {
      const changed = Buffer.from(bytes)
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
      expect(() => openWith(key, changed.toString('base64url'))).toThrow('unable to authenticate')
    }
  })

  it.each([0, 4, 12, 16, 27])('of %i bytes is none: a short tag would be easy to guess', (length) => {
    const bytes = Buffer.from(sealWith(key, ''), 'base64url').subarray(-length)
    expect(() => openWith(key, length === 0 ? '' : bytes.toString('base64url'))).toThrow('too short')
  })
})
