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
