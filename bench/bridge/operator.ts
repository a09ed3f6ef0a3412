/** A token of the demo's service account that may do what an operator does. */
export async function signInAsOperator(authUrl: string): Promise<string> {
  const answer = await fetch(`${authUrl}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from('svc-admin:demo').toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
  // Sound: it is the answer of our own token endpoint.
  return ((await answer.json()) as { access_token: string }).access_token
}

/** The dependencies that are known to be away. */
export async function openCircuits(bridgeUrl: string, token: string): Promise<string[]> {
  const answer = await fetch(`${bridgeUrl}/api/circuit-breaker`, { headers: { authorization: `Bearer ${token}` } })
  // Sound: it is the answer of our own route.
  const entries = (await answer.json()) as Readonly<Record<string, { readonly state: string }>>
  return Object.entries(entries).flatMap(([dependency, { state }]) => (state === 'OPEN' ? [dependency] : []))
}

/** Circuits close, and what waits is tried. */
export async function resetCircuits(bridgeUrl: string, token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const { ok, status } = await fetch(`${bridgeUrl}/api/circuit-breaker/reset`, { method: 'POST', headers })
  if (!ok) throw new Error(`the reset was answered with ${status}`)
}
