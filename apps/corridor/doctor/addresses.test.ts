import { expect, it } from 'vitest'
import { corridorConfiguration } from '../load-configuration.ts'
import { serviceNames } from '../service-names.ts'
import { checkAddresses } from './addresses.ts'

// 2001:db8::/32 is for documentation; no machine has it.
it.each([
  ['127.0.0.1', '127.0.0.1', []],
  ['2001:db8::1', '127.0.0.1', ['bad: this machine has none of listen.hosts (2001:db8::1)']],
  ['no-such-name.invalid', '127.0.0.1', ['bad: this machine has none of listen.hosts (no-such-name.invalid)']],
  [
    '127.0.0.1,2001:db8::1',
    '127.0.0.1',
    ['warning: this machine does not have 2001:db8::1 of listen.hosts: nobody listens there'],
  ],
  [
    '127.0.0.1',
    '2001:db8::1,2001:db8::2',
    [
      'warning: this machine has none of bridge.mllpHosts (2001:db8::1, 2001:db8::2): no message comes in until it has one',
    ],
  ],
])('of %s for HTTP and %s for MLLP it is said: %j', async (http, mllp, says) => {
  const environment = { CORRIDOR_LISTEN_HOSTS: http, CORRIDOR_BRIDGE_MLLP_HOSTS: mllp }
  const findings = await checkAddresses(corridorConfiguration({ environment }).configuration, serviceNames)
  expect(findings.map((finding) => `${finding.state}: ${finding.says}`)).toEqual(says)
})
