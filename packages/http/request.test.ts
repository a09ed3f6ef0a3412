import { describe, expect, it } from 'vitest'
import { isLoopbackHost } from './request.ts'

describe('this machine', () => {
  it.each(['localhost', 'LocalHost', '127.0.0.1', '127.1.2.3', '::1', '[::1]', '::ffff:127.0.0.1'])(
    'is meant by %s',
    (host) => expect(isLoopbackHost(host)).toBe(true),
  )

  it.each([
    ...['', 'localhost.example', 'sink.localhost', '127.0.0.1.example', '127.0.0.300', '127.1', '2130706433'],
    ...['0.0.0.0', '::', '[::]', '10.0.0.1', '::ffff:10.0.0.1', '[localhost', 'fe80::1'],
  ])('is not meant by %s', (host) => expect(isLoopbackHost(host)).toBe(false))
})
