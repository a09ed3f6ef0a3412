/** A token as a service account of the demo gets one. */
export async function demoToken(authUrl: string, account = 'svc-admin'): Promise<string> {
  const answer = await askForDemoToken(authUrl, account)
  if (!answer.ok) throw new Error(`${account} got no token but ${answer.status}: ${await answer.text()}`)
  return tokenIn(await answer.text())
}

/** The request alone, for whoever wants to see how it is answered. */
export function askForDemoToken(authUrl: string, account = 'svc-admin'): Promise<Response> {
  return fetch(`${authUrl}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${account}:demo`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  })
}

/** The access token in the answer of a token endpoint. */
export function tokenIn(text: string): string {
  const answer: unknown = JSON.parse(text)
  if (typeof answer === 'object' && answer !== null && 'access_token' in answer) return String(answer.access_token)
  throw new Error('the answer holds no access token')
}
