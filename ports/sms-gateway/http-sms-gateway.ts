import type { Clock } from '../../packages/clock/clock.ts'
import { incorrect, unavailable } from '../../packages/faults/fault.ts'
import type { Outbound } from '../../packages/http/outbound/outbound.ts'
import { askedToWait } from '../../packages/http/outbound/retry-after.ts'
import type { SmsGateway } from './sms-gateway.ts'

export interface HttpSmsGatewayOptions {
  readonly url: string
  /** Where the gateway is an origin that may be called; its credentials belong to the origin. */
  readonly outbound: Pick<Outbound, 'send'>
  readonly clock: Pick<Clock, 'now'>
  readonly deadlineMs?: number
}

/** Any gateway that takes `{id, to, text}` as JSON, or a small adapter before it. */
export function httpSmsGateway({ url, outbound, clock, deadlineMs = 10_000 }: HttpSmsGatewayOptions): SmsGateway {
  return {
    async send(message, { signal } = {}) {
      const { status, headers } = await outbound.send({
        ...{ method: 'POST', url, deadlineMs },
        headers: { 'content-type': 'application/json', 'idempotency-key': message.id },
        body: JSON.stringify(message),
        isStatusEnough: true,
        ...(signal === undefined ? {} : { signal }),
      })
      if (status >= 200 && status <= 299) return String(status)
      const details = { code: 'SMS_REFUSED', logged: `status ${status}` }
      if (status === 408 || status === 429 || status >= 500) {
        throw unavailable(`The SMS gateway answered with status ${status}.`, {
          ...{ ...details, ...askedToWait(headers, clock) },
        })
      }
      throw incorrect(`The SMS gateway answered with status ${status}: it will not take this message.`, details)
    },
  }
}

/** Where there is none: nothing can be sent, and trying again does not help. */
export const noSmsGateway: SmsGateway = {
  send: async () => {
    throw incorrect('There is no SMS gateway. Set bridge.outbound.smsGatewayUrl.', { code: 'NO_SMS_GATEWAY' })
  },
}
