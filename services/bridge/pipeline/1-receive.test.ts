import { describe, expect, it } from 'vitest'
import { testChannel } from '../testing/test-channels.ts'
import { readIncoming } from './1-receive.ts'

const certificates = new Map([['central.example', new Set(['CENTRAL'])]])
const peer = { address: '127.0.0.1', port: 1, certificateName: 'lakeside.example' }

function refusalOf({ type = 'ADT^A01', facility = 'CENTRAL', controlId = '1', tail = 'P|2.5.1', isCertified = true }) {
  const text = `MSH|^~\\&|HIS|${facility}|HUB|CORRIDOR|20260304||${type}|${controlId}|${tail}\rPID|1||1\r`
  const channel = testChannel('adt', { strictVersion: true, ...(isCertified ? {} : { certificates }) })
  const { refused } = readIncoming(Buffer.from(text), channel, peer)
  return refused && `${refused.code} ${refused.errorCode} ${refused.issues.map(({ code }) => code).join(' ')}`
}

describe('a header of which several things are wrong', () => {
  const [noFacility, noControlId] = [{ facility: '' }, { controlId: '' }]
  it.each([
    ['only incomplete', { ...noFacility, ...noControlId }, 'AE REQUIRED_FIELD_MISSING 101 101'],
    ['without a type', { type: '' }, 'AE REQUIRED_FIELD_MISSING 101'],
    ['of another type, without a control id', { type: 'ORU^R01', ...noControlId }, 'AR UNSUPPORTED_TYPE 101 200'],
    ['of another type, without a facility', { type: 'ORU^R01', ...noFacility }, 'AR UNSUPPORTED_TYPE 200 101'],
    ['of an event that is not taken', { type: 'ADT^Z99', ...noControlId }, 'AR UNSUPPORTED_EVENT 101 201'],
    ['for training', { tail: 'T|2.5.1', ...noControlId }, 'AR UNSUPPORTED_PROCESSING_ID 101 202'],
    ['of another version', { tail: 'P|3.0', ...noControlId }, 'AR UNSUPPORTED_VERSION 101 203'],
    ['of another sender', { isCertified: false, ...noControlId }, 'AR SENDER_NOT_ALLOWED 101 207'],
    ['of nobody in particular', { isCertified: false, ...noFacility }, 'AR SENDER_NOT_ALLOWED 101 207'],
  ])('%s: only what an addition can mend is AE', (_, header, expected) => {
    expect(refusalOf(header)).toBe(expected)
  })
})
