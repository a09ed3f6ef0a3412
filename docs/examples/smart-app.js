// A whole SMART app in one file, without packages: run it beside `npm start` and open http://localhost:3000.
// It signs a user in at Corridor, takes the patient in context, and lists their immunizations.
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'

const fhirBase = process.env.FHIR_BASE ?? 'http://localhost:8080/fhir'
const clientId = 'demo-app'
const redirectUri = 'http://localhost:3000/callback'
const scope = 'openid fhirUser launch/patient patient/Patient.rs patient/Immunization.rs'

/** What the callback needs to know of the request that it answers, by its state. A real app keeps it in a session. */
const begun = new Map()

/** Step 1: where does this FHIR server have its authorization server? */
async function discover(iss) {
  return (await fetch(`${iss}/.well-known/smart-configuration`)).json()
}

/** Step 2: send the user there. `launch` is what an EHR launch brought along. */
async function begin({ iss, launch }) {
  const { authorization_endpoint: endpoint, token_endpoint: tokenEndpoint } = await discover(iss)
  const state = randomBytes(16).toString('base64url')
  const verifier = randomBytes(32).toString('base64url')
  begun.set(state, { iss, verifier, tokenEndpoint })
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: launch === null ? scope : scope.replace('launch/patient', 'launch'),
    state,
    aud: iss,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(launch === null ? {} : { launch }),
  })
  return `${endpoint}?${query}`
}

/** Step 3: the code becomes a token, once, for whoever knows the verifier. */
async function exchange({ code, verifier, tokenEndpoint }) {
  const body = new URLSearchParams({
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    client_id: clientId,
    code_verifier: verifier,
  })
  return (await fetch(tokenEndpoint, { method: 'POST', body })).json()
}

/** Step 4: read with it. The patient in context comes with the token. */
async function immunizations({ iss, token }) {
  const answer = await fetch(`${iss}/Immunization?patient=${token.patient}&_sort=-date`, {
    headers: { authorization: `Bearer ${token.access_token}` },
  })
  const { entry = [] } = await answer.json()
  return entry.map(({ resource }) => `${resource.occurrenceDateTime}  ${resource.vaccineCode.coding?.[0]?.display}`)
}

const server = createServer((request, response) => {
  respond(new URL(request.url, 'http://localhost')).then(
    ({ status, headers, text = '' }) => response.writeHead(status, headers).end(text),
    (error) => response.writeHead(502).end(`${error.message}. Does ${fhirBase} answer?\n`),
  )
})

async function respond({ pathname, searchParams }) {
  if (pathname === '/' || pathname === '/launch') {
    const iss = searchParams.get('iss') ?? fhirBase
    // Never start a login at a server that a stranger's link names.
    if (iss !== fhirBase) return { status: 400, text: 'That FHIR server is not ours.\n' }
    return { status: 302, headers: { location: await begin({ iss, launch: searchParams.get('launch') }) } }
  }
  const state = searchParams.get('state')
  const code = searchParams.get('code')
  const asked = begun.get(state)
  begun.delete(state)
  if (pathname !== '/callback' || asked === undefined || code === null) {
    return { status: 400, text: `${searchParams.get('error_description') ?? 'Begin at /.'}\n` }
  }
  const token = await exchange({ ...asked, code })
  const lines = await immunizations({ iss: asked.iss, token })
  return {
    status: 200,
    headers: { 'content-type': 'text/plain; charset=utf-8' },
    text: [`Patient ${token.patient}, scopes ${token.scope}`, ...lines, ''].join('\n'),
  }
}

server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => console.log('Open http://localhost:3000'))
