import { systemClock } from '../../../packages/clock/clock.ts'

export interface Insisted {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** An earlier try broke off: whether it was done is not known. */
  readonly wasUnsure: boolean
}

/**
 * What a careful client does whose request broke off, or was told that somebody is away: it asks again. Answers that
 * say anything else are handed back as they are, also those that a test will not like.
 */
export async function insist(send: () => Promise<Response>, deadlineMs = 60_000): Promise<Insisted> {
  const until = systemClock.monotonicMs() + deadlineMs
  let broken = ''
  for (let wasUnsure = false; ; wasUnsure = true) {
    const response = await send().catch((thrown: unknown) => void (broken = String(thrown)))
    const text = await response?.text().catch(() => undefined)
    if (response !== undefined && text !== undefined && !isAway(response.status, text)) {
      return { status: response.status, headers: response.headers, text, wasUnsure }
    }
    if (systemClock.monotonicMs() > until) {
      throw new Error(
        `no answer in ${deadlineMs} ms; the last was ${response?.status ?? broken} ${text?.slice(0, 300)}`,
      )
    }
    await systemClock.sleep(20)
  }
}

/** 500 is a bug, except where the specification names it for a dependency that is away; a page says it in words. */
function isAway(status: number, text: string): boolean {
  if (status === 500) return saysAway.test(text)
  return status === 502 || status === 503 || status === 504
}

const saysAway = /fhir_unavailable|authorization_unavailable|qr_generation_failed|<title>The record cannot be shown/
