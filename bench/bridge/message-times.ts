/** What the transaction log says of the time of a message. */
export interface MessageTimes {
  readonly wholeMs: number
  readonly stageMs: Readonly<Record<string, number>>
}

export async function signInAsMonitor(authUrl: string): Promise<string> {
  const answer = await fetch(`${authUrl}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('svc-admin:demo').toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  // Sound: it is the answer of our own token endpoint.
  return ((await answer.json()) as { access_token: string }).access_token
}

/** Of the newest messages that went through. */
export async function recentTimes(bridgeUrl: string, token: string): Promise<MessageTimes[]> {
  const answer = await fetch(`${bridgeUrl}/api/transactions?status=SUCCESS&size=200`, {
    headers: { authorization: `Bearer ${token}` },
  })
  // Sound: it is the answer of our own route.
  const { content } = (await answer.json()) as {
    content: readonly { readonly durationMs: number | null; readonly stageMs: MessageTimes['stageMs'] }[]
  }
  return content.map(({ durationMs, stageMs }) => ({ wholeMs: durationMs ?? 0, stageMs }))
}
