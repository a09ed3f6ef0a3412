import { expect, it } from 'vitest'
import { countedAddress } from './counted-address.ts'

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::1', '::1'],
  ['::ffff:cb00:7107', '::ffff:cb00:7107'],
  ['2001:db8:0:1::7', '2001:db8:0:1::/64'],
  ['2001:DB8:0:1:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64'],
  ['2001:0db8::0001:0:0:7', '2001:db8:0:0::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8:0:2::7', '2001:db8:0:2::/64'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
  ['1::', '1:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['unknown', 'unknown'],
  ['', ''],
])('%s is counted as %s', (peer, counted) => {
  expect(countedAddress(peer)).toBe(counted)
})
