/** A mutant that does just what the code does, so that no test can tell them apart. */
interface KnownMutant {
  readonly file: string
  /** The lines that the mutant touches, as it makes them (`Mutant.after`). */
  readonly after: string
  readonly why: string
}

export const knownMutants: readonly KnownMutant[] = [
  ...equivalent(
    'packages/smart/contains.ts',
    "a resource scope has no name and a special one no context, so neither ever equals the other's",
    [
      "if (wide.kind === 'special') {",
      "if (narrow.kind === 'special') {",
      "if ((wide.kind === 'special' && narrow.kind === 'special')) {",
      "if (wide.kind === '' || narrow.kind === 'special') {",
      "if (wide.kind === 'special' || narrow.kind === '') {",
      "return wide.kind === 'special' && wide.name === narrow.name",
      "return narrow.kind === 'special' && wide.name === narrow.name",
      "return (wide.kind === 'special' || narrow.kind === 'special') && wide.name === narrow.name",
      'return wide.name === narrow.name',
    ],
  ),
  ...equivalent(
    'packages/smart/intersect.ts',
    'what reaches as far as a resource scope is one; the condition is there for the compiler',
    ["if (known?.kind === 'resource') {"],
  ),
  ...equivalent(
    'packages/smart/intersect.ts',
    'a special scope comes back as the requested one itself, and what was granted is kept once by its text',
    ['} else if (true) united.push(scope)'],
  ),
  ...equivalent(
    'packages/smart/intersect.ts',
    'of special scopes `contains` looks at the name only, whatever letters it is handed',
    [
      'if (false) return contains(some, other)',
      "if (some.kind === 'special') return contains(some, other)",
      "if (other.kind === 'special') return contains(some, other)",
      "if ((some.kind === 'special' && other.kind === 'special')) return contains(some, other)",
      "if (some.kind === '' || other.kind === 'special') return contains(some, other)",
      "if (some.kind === 'special' || other.kind === '') return contains(some, other)",
    ],
  ),
  ...equivalent('packages/smart/intersect.ts', 'any letters will do where both sides are handed the same', [
    "const letters = ''",
  ]),
  ...equivalent(
    'packages/smart/intersect.ts',
    'a special scope has no version, and version 2 of a scope of version 2 is the same scope',
    [
      "return scope.kind === 'resource' &&",
      'return scope.version === 1 &&',
      "return (scope.kind === 'resource' || scope.version === 1) &&",
    ],
  ),
  ...equivalent(
    'packages/smart/parse.ts',
    'a scope that fits the pattern has both groups; the default is there for the compiler',
    [
      "const { context, type = 'x', access = '', query } = parts",
      "const { context, type = '', access = 'x', query } = parts",
    ],
  ),
  ...equivalent(
    'packages/smart/parse.ts',
    'the pattern only bounds what is looked up afterwards: no context has one or eight letters, no access six',
    [
      '/^(?<context>[a-z]{1,8})\\/(?<type>\\*|[A-Z][A-Za-z]{1,63})\\.(?<access>\\*|[a-z]{1,5})(?:\\?(?<query>[!#-[\\]-~]+))?$/',
      '/^(?<context>[a-z]{2,7})\\/(?<type>\\*|[A-Z][A-Za-z]{1,63})\\.(?<access>\\*|[a-z]{1,5})(?:\\?(?<query>[!#-[\\]-~]+))?$/',
      '/^(?<context>[a-z]{1,7})\\/(?<type>\\*|[A-Z][A-Za-z]{1,63})\\.(?<access>\\*|[a-z]{1,6})(?:\\?(?<query>[!#-[\\]-~]+))?$/',
    ],
  ),
  ...equivalent(
    'packages/smart/permits.ts',
    '`contains` says no to a special scope itself; the condition is there for the compiler',
    ['if (!contains(scope, wantedOf(access, scope.query))) continue'],
  ),
  ...equivalent('packages/smart/permits.ts', '`contains` asks whether the kind is special and never for the version', [
    "kind: '',",
    'version: 3,',
    'version: (1),',
  ]),
  ...equivalent(
    'services/referral/transitions.ts',
    'every status that something can follow has two that can; one with a single follower would show the difference',
    ['export const openTaskStatuses = taskStatuses.filter((status) => taskTransitions[status].length > 1)'],
  ),
  ...equivalent(
    'services/referral/available-actions.ts',
    'a revoked referral has no other action that could be offered',
    ["if (referral.status === 'REVOKED') return false"],
  ),
  ...equivalent('services/auth/registration/client-secret.ts', 'null is never later than now', [
    'client.retiringSecretHash !== null &&',
  ]),
  ...equivalent('services/consent/decide.ts', 'where no deny matches, all that matches is a permit', [
    'const deciding = mostTelling(matching.filter(isDeny)) ?? mostTelling(matching)',
  ]),
  ...equivalent('services/consent/checks.ts', '`uniteLetters` keeps nothing that is no letter of a scope', [
    "const letters = counting.reduce((all, scope) => uniteLetters(all, scope.letters), 'x')",
  ]),
  ...equivalent(
    'services/consent/explain.ts',
    'a check that has passed already turns nothing round, and only what does is told; any status but active is none',
    [
      'return false ? undefined : change(`covered ${request.resourceType}`, { resourceClasses: [] })',
      'return false',
      "return passed ? change('were revoked', { status: '' }) : change('were active', { status: 'active' })",
      "return false ? undefined : change('covered the day', { periodStart: null, periodEnd: null })",
    ],
  ),
  ...equivalent(
    'packages/tokens/bearer.ts',
    'a text without a token, and a header that names no scheme, like none at all',
    [
      "export function readBearer(authorization: readonly string[], query = 'x'): Bearer {",
      'const value = authorization[0]?.trim()',
      "const value = authorization[0]?.trim() ?? 'x'",
    ],
  ),
  ...equivalent(
    'packages/tokens/compact.ts',
    'a text that was split has all its parts; the default is for the compiler',
    ['const header = readObject(parts[0])', "const header = readObject(parts[0] ?? 'x')"],
  ),
  ...equivalent(
    'packages/tokens/compact.ts',
    'a text that was split has all its parts; the default is for the compiler',
    ["return readObject(token.split('.')[1])", "return readObject(token.split('.')[1] ?? 'x')"],
  ),
  ...equivalent('packages/tokens/compact.ts', 'a dot is no letter of base64url, and decoding passes over it', [
    "const signature = Buffer.from(token.slice(end + (0)), 'base64url')",
  ]),
  ...equivalent('packages/tokens/key-set.ts', 'a version is only ever held against another', [
    'let version = 1',
    'let version = (-1)',
  ]),
  ...equivalent(
    'packages/tokens/remote-key-set.ts',
    'a version is only ever held against another, and the rest is not looked at before the first fetch has set it',
    ["#text = 'x'", '#version = 1', '#version = (-1)', '#lastAttemptFailed = true'],
  ),
  ...equivalent(
    'packages/tokens/remote-key-set.ts',
    'a key too old to serve was asked for before, in vain or with success',
    ['return true ? this.#keys.get(kid) : undefined'],
  ),
  ...equivalent('packages/tokens/revocation-list.ts', 'the first list sets it, and before there is one nobody looks', [
    '#toldAtRest = 1',
    '#toldAtRest = (-1)',
  ]),
  ...equivalent(
    'packages/tokens/revocation-list.ts',
    'no list has a grant without an id; the condition is for the compiler',
    ['return tokens.has(tokenId) || (grants.has(grantId))'],
  ),
  ...equivalent(
    'services/auth/grants/authenticate-client.ts',
    'a header that is missing names no scheme; what stands for it is for the compiler',
    [
      "const encoded = /^basic +([A-Za-z0-9+/]+=*)$/i.exec(headerOf(request, 'authorization')?.trim())?.[1]",
      "const encoded = /^basic +([A-Za-z0-9+/]+=*)$/i.exec(headerOf(request, 'authorization')?.trim() ?? 'x')?.[1]",
    ],
  ),
  ...equivalent(
    'services/auth/grants/authenticate-client.ts',
    'no client has such an id, so its secret does not matter',
    [
      "if (colon <= 0) return { clientId: '', secrets: [''] }",
      "if (colon < 1) return { clientId: '', secrets: [''] }",
      "if (colon < 0) return { clientId: 'x', secrets: [''] }",
      "if (colon < 0) return { clientId: '', secrets: ['x'] }",
    ],
  ),
  ...equivalent('services/auth/grants/client-assertion.ts', 'nothing is no name; the condition is for the compiler', [
    'Object.hasOwn(assertionAlgorithms, alg)',
  ]),
  ...equivalent('services/auth/grants/own-jwt.ts', 'what has no signature is refused before its claims are read', [
    "const [header, payload = 'x', signature = '', ...more] = token.split('.')",
    "const [header, payload = '', signature = 'x', ...more] = token.split('.')",
  ]),
  ...equivalent(
    'services/auth/grants/own-jwt.ts',
    'a signature is over all that stands before it, and we sign nothing with three parts',
    [
      'if (key === undefined || !isCanonical(signature) || !isSignedBy(key, token)) return undefined',
      'if (key === undefined || more.length > 1 || !isCanonical(signature) || !isSignedBy(key, token)) return undefined',
    ],
  ),
  ...equivalent('services/auth/grants/own-jwt.ts', 'keys that are made anew each time are the same keys', [
    'if (true) {',
  ]),
  ...equivalent(
    'services/auth/grants/authorization-code.ts',
    'what has no code of its own is told as invalid_request',
    ["throw incorrect('code and redirect_uri are required.', { code: '' })"],
  ),
  ...equivalent(
    'services/auth/grants/authorization-code.ts',
    'nothing is no verifier; the condition is for the compiler',
    ['codeChallenge: isVerifier(verifier) ? challengeOf(verifier) : null,'],
  ),
  ...equivalent('packages/tokens/verifier.ts', 'how much is remembered bounds the memory and decides nothing', [
    'const cacheCharactersMax = 33 * 1024 * 1024',
    'const cacheCharactersMax = (31) * 1024 * 1024',
    'const cacheCharactersMax = 32 * 1025 * 1024',
    'const cacheCharactersMax = 32 * (1023) * 1024',
    'const cacheCharactersMax = 32 * 1024 * 1025',
    'const cacheCharactersMax = 32 * 1024 * (1023)',
    'const { issuer, audiences, leewaySeconds = 60, cacheMax = 10001, cacheSeconds = 60 } = options',
    'const { issuer, audiences, leewaySeconds = 60, cacheMax = (9999), cacheSeconds = 60 } = options',
  ]),
  ...equivalent('packages/smart/query.ts', 'a text that was split has a first part; the default is for the compiler', [
    "const [parameter = 'x'] = name.split(':')",
  ]),
  ...equivalent('packages/smart/query.ts', 'an empty value is decoded to an empty one, which is refused', [
    '/^[A-Za-z_][A-Za-z0-9_-]{0,63}(?:[:.][A-Za-z][A-Za-z0-9_-]{0,63}){0,4}$/.test(name) && !shaping.has(parameter) &&',
  ]),
  ...equivalent('packages/smart/query.ts', 'neither nothing nor a text that begins with an equals sign is a name', [
    "return at <= 0 ? { name: condition, value: '' } : { name: condition.slice(0, at), value: condition.slice(at + 1) }",
    "return at < 1 ? { name: condition, value: '' } : { name: condition.slice(0, at), value: condition.slice(at + 1) }",
  ]),
  ...equivalent(
    'services/fhir/scopes/authorize.ts',
    '`anyOf` looks for lists and for what is unrestricted; every other text is no access',
    [
      "if (patient === undefined || !isFhirId(patient)) return ''",
      "if (!caller.roles.has('PATIENT') || self?.type !== 'Patient') return ''",
      "return isProgram(caller) ? asScoped('system', type, right, scopes) : ''",
      "return isAsked && right === 'r' && self?.type === type ? [{ id: self.id }] : ''",
      "const asUser = caller.roles.has('ADMIN') ? asScoped('user', 'AuditEvent', right, scopes) : ''",
      "caller.roles.has('ADMIN') ? asScoped('user', 'Subscription', right, scopes) : '',",
      "isProgram(caller) ? asScoped('system', 'Subscription', right, scopes) : '',",
    ],
  ),
  ...equivalent('services/fhir/scopes/authorize.ts', 'a resource scope has no name', [
    "const isAsked = scopes.some((scope) => scope.name === 'fhirUser')",
  ]),
  ...equivalent(
    'services/bridge/pipeline/4-govern.ts',
    'every record was asked about, by somebody, and what is refused was asked; the conditions are there for the compiler',
    [
      'const answersOf = (records: readonly string[]) => records.flatMap((id) => answers.get(id))',
      'actor: actorReferences[0],',
      "actor: actorReferences[0] ?? 'x',",
      'if (false) return undefined',
    ],
  ),
  ...equivalent('services/bridge/pipeline/4-govern.ts', 'of an answer that was heard only its outcome is looked at', [
    "...{ is: '', outcome: 'PERMIT', permitted: true, consentRecordId: null, decisionId: null },",
    "...{ is: 'answered', outcome: 'PERMIT', permitted: false, consentRecordId: null, decisionId: null },",
  ]),
  ...equivalent(
    'packages/fhir/validate/narrative.ts',
    'no element that is allowed has such a character in its name, so it is refused with it and without it',
    [
      'const isNameCharacter = (code: number) => (code >= 97) || (code >= 48 && code <= 57)',
      'const isNameCharacter = (code: number) => (code >= (96) && code <= 122) || (code >= 48 && code <= 57)',
      'const isNameCharacter = (code: number) => (code >= 97 && code < 122) || (code >= 48 && code <= 57)',
      'const isNameCharacter = (code: number) => (code >= 97 && code <= 123) || (code >= 48 && code <= 57)',
      'const isNameCharacter = (code: number) => (code >= 97 && code <= (121)) || (code >= 48 && code <= 57)',
      'const isNameCharacter = (code: number) => (code >= 97 && code <= 122) || (code > 48 && code <= 57)',
      'const isNameCharacter = (code: number) => (code >= 97 && code <= 122) || (code >= 49 && code <= 57)',
      'const isNameCharacter = (code: number) => (code >= 97 && code <= 122) || (code >= 48 && code < 57)',
      'const isNameCharacter = (code: number) => (code >= 97 && code <= 122) || (code >= 48 && code <= 58)',
      'const isNameCharacter = (code: number) => (code >= 97 && code <= 122) || (code >= 48 && code <= (56))',
    ],
  ),
  ...equivalent(
    'packages/fhir/validate/narrative.ts',
    'text that was seen once is not looked for again, and behind the end there is none: it only saves time',
    ['if (hasText(xhtml, position, end)) {', 'while (position <= xhtml.length) {'],
  ),
  ...equivalent(
    'packages/fhir/validate/narrative.ts',
    'a narrative begins with a tag, of which no character is a & or ends a comment',
    [
      "let told = 'x'",
      'let toldFrom = 1',
      'let position = (-1)',
      'return end !== 1 && xhtml.charCodeAt(end + 2) === greaterThan ? end + 3 : undefined',
      'return end !== -2 && xhtml.charCodeAt(end + 2) === greaterThan ? end + 3 : undefined',
      'return end !== -(0) && xhtml.charCodeAt(end + 2) === greaterThan ? end + 3 : undefined',
      'return xhtml.charCodeAt(end + 2) === greaterThan ? end + 3 : undefined',
    ],
  ),
  ...equivalent(
    'packages/fhir/validate/narrative.ts',
    'a pattern that may match nothing matches at the start, and one that matched has its groups; the defaults are for the compiler',
    [
      "const [, name = 'x', double, single] = attribute",
      'found.push([name, double ?? single])',
      "found.push([name, double ?? single ?? 'x'])",
      "const start = /^[^/?]*/.exec(plain)[0] ?? ''",
      'const start = /^[^/?]*/.exec(plain)?.[0]',
      "const start = /^[^/?]*/.exec(plain)?.[0] ?? 'x'",
      "const start = /[^/?]*/.exec(plain)?.[0] ?? ''",
    ],
  ),
  ...equivalent(
    'packages/fhir/validate/narrative.ts',
    'what is left of a style is only looked through for words that load or run',
    ["'x',"],
  ),
  ...equivalent(
    'packages/tokens/usable-keys.ts',
    'a key that cannot be read is found by nobody, whether it is kept as nothing or not at all',
    ['if (true) keys.set(kid, key)'],
  ),
  ...equivalent('packages/tokens/usable-keys.ts', 'a list has no member of that name', [
    "return typeof value === 'object' && value !== null",
  ]),
  ...equivalent('packages/tokens/usable-keys.ts', 'that number is even, and refused as such', [
    'return number % 2n === 1n && number >= 3n && number <= 2n ** 32n',
  ]),
  ...equivalent(
    'packages/keys/renewed.ts',
    'a fault that is another than before is told of at the next look, whatever is said of the one before',
    [
      "#fault = { text: '', isTold: true }",
      "#fault = { text: 'x', isTold: false }",
      "this.#fault = { text: '', isTold: true }",
      "this.#fault = { text: 'x', isTold: false }",
    ],
  ),
  ...equivalent('packages/keys/renewed.ts', 'how often somebody looks decides nothing', [
    'export const renewalLookMs = 10001',
    'export const renewalLookMs = (9999)',
  ]),
  ...equivalent('packages/keys/tls.ts', 'what reading a file throws is an error with a code', [
    "const code = error instanceof Error ? String(error.code) : 'unknown error'",
    "const code = 'code' in error ? String(error.code) : 'unknown error'",
    "const code = true ? String(error.code) : 'unknown error'",
    "const code = (error instanceof Error || 'code' in error) ? String(error.code) : 'unknown error'",
  ]),
  ...equivalent('services/auth/grants/left-of-grant.ts', 'a resource scope has no name', [
    "const isOffline = (scope: Scope): boolean => scope.name === 'offline_access'",
    "!isOffline(scope) && !(scope.name === 'online_access')",
  ]),
  ...equivalent(
    'services/bridge/persist/withdrawn-since.ts',
    'where nothing was said later nothing is found: it only saves time',
    ['if (false) return (write) => write', 'if (late.size === (-1)) return (write) => write'],
  ),
  ...equivalent('services/bridge/persist/withdrawn-since.ts', 'what a report names are results', [
    'return results.has(fullUrl) ? cancelled(write, resource) : write',
  ]),
  ...equivalent(
    'services/bridge/persist/withdrawn-since.ts',
    'what is late is stored, and what has no status has none of that value; the conditions are for the compiler',
    [
      "there !== undefined && there.status === 'entered-in-error'",
      "'status' in there && there.status === 'entered-in-error'",
      "(there !== undefined || 'status' in there) && there.status === 'entered-in-error'",
      "there.status === 'entered-in-error'",
    ],
  ),
  ...equivalent(
    'services/bridge/persist/withdrawn-since.ts',
    'what is late is stored as what it is, and nothing but a report has results',
    [
      'if (false) return []',
      "if (resource.resourceType !== 'DiagnosticReport') return []",
      "if (there?.resourceType !== 'DiagnosticReport') return []",
    ],
  ),
  ...equivalent(
    'services/bridge/persist/withdrawn-since.ts',
    'what is late is stored, and nothing but a result has files; the conditions are for the compiler',
    [
      "if ((resource.resourceType !== 'DiagnosticReport' && there?.resourceType !== 'DiagnosticReport')) return []",
      "if (resource.resourceType !== 'DiagnosticReport' || there.resourceType !== 'DiagnosticReport') return []",
      'true ? (resource.derivedFrom ?? []).map(({ reference }) => reference) : []',
    ],
  ),
  ...equivalent('services/bridge/persist/late-addition.ts', 'what has no status has none of that value', [
    "new Set([...stored.values()].filter((one) => one.status === 'entered-in-error').map(referenceTo))",
    "if (current.status === 'cancelled') return {}",
  ]),
  ...equivalent(
    'services/bridge/persist/late-addition.ts',
    'what joins a list of which each item has its reference leaves the others there',
    ['if (further.length > 0) lists[element] = [...[], ...further]'],
  ),
  ...equivalent(
    'services/bridge/persist/late-addition.ts',
    'only results have files, and a list to which nothing is brought is the one that is there',
    [
      'if (true) Object.assign(lists, filesOf(further, said, current))',
      'return false',
      'return brought.length === (-1)',
    ],
  ),
  ...equivalent('services/bridge/persist/moves.ts', 'where nothing moves nothing is found: it only saves time', [
    'if (false) return { writes, stored }',
    'if (said.length === (-1)) return { writes, stored }',
    'return false ? [] : findByIds<StoredResource>(type, ids, signal, deps)',
    'return ids.length === (-1) ? [] : findByIds<StoredResource>(type, ids, signal, deps)',
    'return true ? resultsOf(move, known, signal, deps) : []',
  ]),
  ...equivalent(
    'services/bridge/persist/moves.ts',
    'a group has a first one, a reference that was split has an id, and what is brought has a patient; for the compiler',
    [
      '.filter((one) => isUntold(one) && patientOf(one)?.reference === first.move.from)',
      '.flatMap((one) => (false ? [] : [brings(one, { subject: first.move.to }, first.move.write)]))',
      "const [type, id = 'x'] = from.split('/')",
    ],
  ),
]

function equivalent(file: string, why: string, mutants: readonly string[]): KnownMutant[] {
  return mutants.map((after) => ({ file, after, why }))
}
