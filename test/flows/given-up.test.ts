import { expect, it } from 'vitest'
import { testCorridor } from '../../packages/testkit/test-corridor.ts'

it('every queue of every service tells by a metric what it has given up', async () => {
  await using corridor = await testCorridor()
  const told = async () => {
    const text = await (await fetch(`${corridor.url('auth')}/actuator/prometheus`)).text()
    return [...text.matchAll(/^corridor_background_dead\{queue="([^"]+)"\} 0$/gm)].map(([, queue = '']) => queue)
  }
  await expect
    .poll(async () => (await told()).toSorted())
    .toEqual([
      'auth.audit',
      'bridge.audit.fhir',
      'bridge.audit.syslog',
      'bridge.code-rerun',
      'bridge.coordination',
      'bridge.decision-support',
      'bridge.delivery',
      'bridge.escalation',
      'bridge.retry-run',
      'bridge.write',
      'bridge.writes',
      'consent.decisions',
      'consent.projection',
      'fhir.merged-patients',
      'fhir.second-looks',
      'referral.acceptance',
      'referral.audit',
      'referral.fhir',
      'referral.notification',
    ])
})
