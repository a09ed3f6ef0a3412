import { incorrect } from '../../packages/faults/fault.ts'
import type { OutboundOrigin } from '../../packages/http/outbound/outbound-origins.ts'
import type { HttpNotifierOptions } from '../../ports/notification/http-notifier.ts'
import type { Facility } from './facilities.ts'
import type { ReferralSection } from './section.ts'
import type { ReferralSettings } from './settings.ts'

export function settingsOf({ partyRules, fhirProjection, acceptWithin }: ReferralSection): ReferralSettings {
  return {
    partyRules,
    fhirProjection,
    acceptWithinSeconds: {
      STAT: acceptWithin.statSeconds,
      ASAP: acceptWithin.asapSeconds,
      URGENT: acceptWithin.urgentSeconds,
      ROUTINE: acceptWithin.routineSeconds,
    },
  }
}

export function facilitiesOf({ facilities }: ReferralSection): Facility[] {
  const names = facilities.map(({ clientId }) => clientId)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  // One of the two would count, and whoever wrote the other would never be told.
  if (twice !== undefined) throw incorrect(`referral.facilities: ${twice} is there twice. Put all of it in one entry.`)
  return facilities.map(({ clientId, organisation, webhookUrl, webhookSecret, email, phone }) => {
    if (webhookUrl !== undefined && webhookSecret === undefined) {
      throw incorrect(`referral.facilities: ${clientId} has a webhookUrl and no webhookSecret to sign with.`)
    }
    const webhook =
      webhookUrl === undefined || webhookSecret === undefined ? undefined : { url: webhookUrl, secret: webhookSecret }
    return { clientId, organisation, webhook, email, phone }
  })
}

/** Those of the operator's choice, each with what it asks of whoever calls it. */
export function gatewaysOf(section: ReferralSection): Pick<HttpNotifierOptions, 'smsGateway' | 'emailGateway'> {
  const { smsGatewayUrl, smsGatewayAuthorization, emailGatewayUrl, emailGatewayAuthorization } = section
  return {
    smsGateway:
      smsGatewayUrl === undefined ? undefined : { url: smsGatewayUrl, authorization: smsGatewayAuthorization },
    emailGateway:
      emailGatewayUrl === undefined ? undefined : { url: emailGatewayUrl, authorization: emailGatewayAuthorization },
  }
}

/** Everywhere that notifications may go; nowhere else is ever called for them. */
export function noticeOrigins(section: ReferralSection): OutboundOrigin[] {
  const { facilities, smsGatewayUrl, emailGatewayUrl } = section
  return [
    ...facilities.flatMap(({ webhookUrl }) => origin(webhookUrl, 'facility webhook')),
    ...origin(smsGatewayUrl, 'sms gateway'),
    ...origin(emailGatewayUrl, 'email gateway'),
  ]
}

const origin = (url: string | undefined, name: string): OutboundOrigin[] => (url === undefined ? [] : [{ url, name }])
