/** Where a vector is tried: the file, and words that stand in the test or in its table of cases. */
export interface Tried {
  readonly vector: string
  readonly file: string
  readonly words: string
}

const rowsIn = (file: string, rows: Readonly<Record<string, string>>): Tried[] =>
  Object.entries(rows).map(([vector, words]) => ({ vector, file, words }))

const forgeries = 'packages/testkit/token-attacks.ts'
const onRoutes = 'test/attacks/tokens-on-routes.ts'

/**
 * The token vectors of the goal table (S1). Those in the list of forgeries are tried on every route that asks for a
 * token, with the reason checked once by the verifier's own test.
 */
export const tokenVectors: readonly Tried[] = [
  ...rowsIn(forgeries, {
    'alg none': "'none'",
    'alg None': "'None'",
    'alg NONE': "'NONE'",
    'alg nOnE': "'nOnE'",
    'HS256 with the public key as PEM': "'PEM text'",
    'HS256 with the public key as DER': 'DER: key.export',
    'HS256 with the public key as JWK text': "'JWK text'",
    'HS256 with the modulus': 'modulus: Buffer',
    'embedded jwk': 'jwk: { jwk:',
    jku: 'jku: { jku:',
    x5u: 'x5u: { x5u:',
    x5c: 'x5c: { x5c }',
    'kid missing': "['no kid'",
    'kid unknown': "['an unknown kid'",
    'kid as a path': "['a path as kid'",
    'kid as SQL': "['SQL as kid'",
    'kid very long': "['a very long kid'",
    'signature stripped': "'the signature stripped'",
    'signature empty': "'an empty signature'",
    'signature truncated': "'a truncated signature'",
    'signature of another token': "'the signature of another token'",
    'signature of another key': "'the signature of another key'",
    'a bit of the header': "'a bit flipped in the header'",
    'a bit of the payload': "'a bit flipped in the payload'",
    'a bit of the signature': "'a bit flipped in the signature'",
    expired: "['expired'",
    'not yet valid': "['not valid yet'",
    'issued in the future': "['issued in the future'",
    'wrong iss': "['another issuer'",
    'aud of another service': "['the audience of another service'",
    'exp missing': "['no exp'",
    'aud missing': "['no aud'",
    'sub missing': "['no sub'",
    'refresh token as access token': "'a refresh token'",
    'identity token as access token': "'an identity token'",
    'unknown crit': "'an unknown crit'",
    'b64 false': "'b64 false'",
    JWE: "'a JWE'",
    'claim names twice': "'a claim twice'",
    'roles as an object': "['roles as an object'",
    'a token of 1 MB': "'a token of 1 MB'",
  }),
  ...rowsIn('test/attacks/roles-on-routes.ts', {
    'roles missing': "['missing', undefined]",
    'roles as a text': "['in one text with commas'",
    'roles in lower case': "['in lower case'",
  }),
  ...rowsIn('services/auth/attacks/codes-and-tokens.test.ts', {
    'key rotated out': "it('A25: keys rotate without a 401, and what a withdrawn key signed is refused'",
  }),
  ...rowsIn(onRoutes, {
    'revoked token': "it('refuses a token that was revoked, at every service'",
    'token in the query': "'token in the query'",
    'two Authorization headers': "'two Authorization headers'",
  }),
]

const redirects = 'services/auth/attacks/redirects.test.ts'
const codes = 'services/auth/attacks/codes-and-tokens.test.ts'
const pages = 'services/auth/attacks/browser.test.ts'
const authorization = 'services/auth/conformance/authorization.test.ts'
const tokens = 'services/auth/conformance/tokens.test.ts'

/** The OAuth vectors of the goal table (S2). */
export const oauthVectors: readonly Tried[] = [
  ...rowsIn(redirects, {
    'redirect_uri with another path': "'http://localhost:3000/callback/extra'",
    'redirect_uri with a query': "'http://localhost:3000/callback?x=1'",
    'redirect_uri in another case': "'http://localhost:3000/Callback'",
    'redirect_uri with another port': "'http://localhost:3001/callback'",
    'redirect_uri with a dot after the host': "'http://localhost.:3000/callback'",
    'redirect_uri with a user': "'http://user@localhost:3000/callback'",
    'redirect_uri with a fragment': "'http://localhost:3000/callback#fragment'",
    'redirect_uri encoded twice': "'http://localhost:3000/%2563allback'",
    'redirect_uri of a domain that begins alike': "'http://localhost:3000.evil.example/callback'",
    'bad redirect_uri is shown': 'is shown as wrong and never gone to',
  }),
  ...rowsIn(authorization, {
    'unknown client is shown': "it('shows a client_id that is not registered as invalid_client'",
    'challenge missing': "['code_challenge', 'invalid_client']",
    'challenge short': "code_challenge: 'short'",
    'challenge plain': "code_challenge_method: 'plain'",
    'verifier without a challenge: no code without one': "['code_challenge_method', 'invalid_request']",
    'aud wrong': "it('C20: issues no code for an aud that is not the FHIR server",
    'aud missing': "['aud', 'invalid_request']",
    'state missing': "['state', 'invalid_request']",
    'response_type token': "response_type: 'token'",
  }),
  ...rowsIn(tokens, {
    'wrong verifier': "['C31: a wrong verifier'",
    'redirect_uri differs at the token endpoint': "['another redirect_uri'",
    'client_credentials with a bad secret': "it('C34: and is refused with a wrong secret",
    'answers are never stored': "it('C23, C24, C25, C26: is 200 JSON with the four fields, never stored'",
  }),
  ...rowsIn(codes, {
    'verifier reuse': "it('A3: the verifier of one request is worth nothing for another'",
    'code reuse revokes what it gave': "it('A1: a replayed code ends everything that it gave'",
    'code of another client': "it('A2: a stolen code is worth nothing to another client",
    'code after its end': "it('a code has a minute'",
    'code twice in parallel': "it('A1, A27: of fifty that exchange one code",
    'launch unknown': "launch: 'unknown'",
    'launch used': 'launch token not found, expired or already used',
    'launch expired': 'clock.forward(301)',
    'launch of another user': "await other.signIn('clinician2')",
    'refresh reuse ends the family': "it('A4: one that comes back ends the family",
    'refresh of another client': "it('A4: of another client is refused and stays good for its own'",
    'iss in the response': "it('A6: the answer names its issuer",
    'logout ends the session': "it('A26: logging out ends online grants",
  }),
  ...rowsIn(pages, {
    'parameters twice': "it('A22: a parameter that stands twice is refused by name'",
    'client_credentials by GET': 'expect(byLink.status).toBe(405)',
    'JSON at the token endpoint': "const json = await post(JSON.stringify({ grant_type: 'client_credentials' })",
    'login is answered with 303': 'and the answer to the login form is 303',
    'session fixation': "it('A15: a login makes a new session, and unknown ids are worth nothing'",
    'errors give no hint of an account': "it('never show an account'",
  }),
  ...rowsIn('services/auth/conformance/refresh-and-revocation.test.ts', {
    'scope widening at refresh': "it('with a scope that was not granted is 400 invalid_scope",
  }),
  ...rowsIn('services/auth/conformance/backend-services.test.ts', {
    'client_credentials with a scope beyond registration': "it('scopes are those that are registered",
  }),
]
