import { startFaultProxy, type FaultProxy } from '../../../packages/testkit/fault-proxy.ts'
import { freePort } from '../../../packages/testkit/free-port.ts'
import { testCorridor, type TestCorridor } from '../../../packages/testkit/test-corridor.ts'
import { admin, referralApi, type CallApi } from './referral-api.ts'

export interface GuardedCorridor extends AsyncDisposable {
  readonly corridor: TestCorridor
  readonly call: CallApi
  /** Stands between the referral service and the real consent service. */
  readonly proxy: FaultProxy
  /** Records a consent with the consent service; answers with its id. */
  consent(terms: object): Promise<number>
  revoke(consentId: number): Promise<void>
}

/** The authorization server, the consent service and the referral service, with a proxy that can come in between. */
export async function guardedCorridor(settings: Readonly<Record<string, string>> = {}): Promise<GuardedCorridor> {
  const port = await freePort()
  const proxy = await startFaultProxy({ port })
  const corridor = await testCorridor({
    services: ['auth', 'consent', 'referral'],
    apart: true,
    settings: {
      'consent.port': String(port),
      'consent.url': proxy.url,
      'referral.fhirProjection': 'false',
      ...settings,
    },
  })
  const ask = async (path: string, body?: object) => {
    const response = await fetch(`http://127.0.0.1:${port}/api/consent${path}`, {
      method: 'POST',
      headers: { authorization: await corridor.bearerFor(admin), 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    // Sound: every answer of the consent service that is not an error is a consent.
    return (await response.json()) as { readonly id: number }
  }
  return {
    corridor,
    call: referralApi(corridor),
    proxy,
    consent: async (terms) => (await ask('', terms)).id,
    revoke: async (consentId) => void (await ask(`/${consentId}/revoke`)),
    async [Symbol.asyncDispose]() {
      await corridor[Symbol.asyncDispose]()
      await proxy[Symbol.asyncDispose]()
    },
  }
}
