/** What decides about access, and the tests that must notice every mistake in it: the quick ones first. */
export interface Subject {
  readonly name: string
  readonly files: readonly string[]
  readonly tests: readonly string[]
}

const inFolder = (folder: string, ...names: readonly string[]) => names.map((name) => `${folder}/${name}`)

export const subjects: readonly Subject[] = [
  {
    name: 'consent decision',
    files: inFolder(
      'services/consent',
      'decide.ts',
      'checks.ts',
      'implicit-policy.ts',
      'access-request.ts',
      'purposes.ts',
      'explain.ts',
      'record/derive.ts',
    ),
    tests: inFolder(
      'services/consent',
      'decide.test.ts',
      'decision-report.test.ts',
      'explain.test.ts',
      'access-request.test.ts',
      'purposes.test.ts',
      'record/derive.test.ts',
    ),
  },
  {
    name: 'scope grammar',
    files: inFolder(
      'packages/smart',
      'contains.ts',
      'intersect.ts',
      'letters.ts',
      'parse.ts',
      'permits.ts',
      'print.ts',
      'query.ts',
      'scope-matches.ts',
      'scope.ts',
    ),
    tests: inFolder(
      'packages/smart',
      'parse.test.ts',
      'letters.test.ts',
      'query.test.ts',
      'contains.test.ts',
      'intersect.test.ts',
      'permits.test.ts',
      'scope-matches.test.ts',
      'scope-laws.test.ts',
    ),
  },
  {
    name: 'transitions',
    files: inFolder('services/referral', 'transitions.ts', 'party-rules.ts', 'available-actions.ts'),
    tests: inFolder('services/referral', 'transitions.test.ts', 'party-rules.test.ts', 'available-actions.test.ts'),
  },
  {
    name: 'token verification',
    files: inFolder(
      'packages/tokens',
      'bearer.ts',
      'claims.ts',
      'compact.ts',
      'key-set.ts',
      'remote-key-set.ts',
      'revocation-list.ts',
      'unique-json.ts',
      'usable-keys.ts',
      'verifier.ts',
    ),
    tests: inFolder(
      'packages/tokens',
      'bearer.test.ts',
      'unique-json.test.ts',
      'claims.test.ts',
      'usable-keys.test.ts',
      'compact.test.ts',
      'revocation-list.test.ts',
      'verifier.test.ts',
      'key-set.test.ts',
    ),
  },
  {
    name: 'authorization request and PKCE',
    files: inFolder(
      'services/auth',
      'authorize/check-audience.ts',
      'authorize/check-code-challenge.ts',
      'authorize/check-prompt.ts',
      'authorize/check-redirect-uri.ts',
      'authorize/check-request-object.ts',
      'authorize/check-required.ts',
      'authorize/check-response-type.ts',
      'authorize/code-challenge.ts',
      'authorize/negotiate-scope.ts',
      'registration/client-secret.ts',
      'secrets/digest.ts',
    ),
    tests: inFolder(
      'services/auth',
      'authorize/negotiate-scope.test.ts',
      'authorize/request-checks.test.ts',
      'registration/client-secret.test.ts',
    ),
  },
  {
    name: 'client authentication',
    files: inFolder('services/auth/grants', 'authenticate-client.ts', 'client-assertion.ts'),
    tests: inFolder('services/auth/grants', 'authenticate-client.test.ts'),
  },
  {
    name: 'refresh tokens as text',
    files: inFolder('services/auth/grants', 'refresh-jwt.ts', 'own-jwt.ts'),
    tests: inFolder('services/auth/grants', 'refresh-jwt.test.ts'),
  },
  {
    name: 'codes',
    files: inFolder('services/auth/grants', 'authorization-code.ts'),
    tests: inFolder('services/auth', 'conformance/tokens.test.ts', 'attacks/codes-and-tokens.test.ts'),
  },
  {
    name: 'refresh tokens',
    files: inFolder(
      'services/auth',
      'grants/refresh-token.ts',
      'grants/left-of-grant.ts',
      'grants/refresh-swaps.ts',
      'store/refresh-tokens.ts',
    ),
    tests: inFolder(
      'services/auth',
      'grants/left-of-grant.test.ts',
      'conformance/refresh-and-revocation.test.ts',
      'attacks/codes-and-tokens.test.ts',
      'grants/refresh-token.test.ts',
      'authorize/patient-context.test.ts',
    ),
  },
  {
    name: 'tokens of programs',
    files: inFolder('services/auth/grants', 'client-credentials.ts', 'service-scopes.ts'),
    tests: inFolder('services/auth', 'conformance/backend-services.test.ts'),
  },
  {
    name: 'known browsers',
    files: inFolder('services/auth', 'login/known-browser.ts', 'store/known-browsers.ts'),
    tests: inFolder('services/auth', 'attacks/login.test.ts', 'attacks/browser.test.ts', 'store/sweep.test.ts'),
  },
  {
    name: 'scopes of the FHIR store',
    files: inFolder(
      'services/fhir/scopes',
      'authorize.ts',
      'own-resource.ts',
      'patient-reach.ts',
      'shared-types.ts',
      'insufficient-scope.ts',
    ),
    tests: inFolder('services/fhir/scopes', 'authorize.test.ts'),
  },
  {
    name: 'writes to the FHIR store',
    files: inFolder('services/fhir/scopes', 'kept-copies.ts', 'patients-word.ts'),
    tests: inFolder('services/fhir/scopes', 'kept-copies.test.ts', 'patients-word.test.ts'),
  },
  {
    name: 'consent of messages',
    files: inFolder('services/bridge/pipeline', '4-govern.ts'),
    tests: inFolder('services/bridge/pipeline', '4-govern.test.ts'),
  },
  {
    name: 'late messages',
    files: inFolder('services/bridge/persist', 'late-addition.ts', 'withdrawn-since.ts'),
    tests: inFolder(
      'services/bridge',
      'persist/late-message.test.ts',
      'pipeline/chains-of-documents.test.ts',
      'pipeline/told-out-of-order.test.ts',
      'persist/plan-writes.test.ts',
      'persist/left-slots.test.ts',
      'persist/work-of-large-messages.test.ts',
    ),
  },
  {
    name: 'what becomes another patient’s',
    files: inFolder('services/bridge/persist', 'moves.ts'),
    tests: inFolder(
      'services/bridge',
      'pipeline/numbers-given-again.test.ts',
      'persist/work-of-large-messages.test.ts',
      'pipeline/told-out-of-order.test.ts',
      'pipeline/several-numbers.test.ts',
    ),
  },
  {
    name: 'things of one number',
    files: inFolder('services/bridge/persist', 'same-thing.ts'),
    tests: inFolder(
      'services/bridge/pipeline',
      'numbers-given-again.test.ts',
      'several-numbers.test.ts',
      'told-out-of-order.test.ts',
      'orders-by-number-alone.test.ts',
      'translated-late.test.ts',
      'merged-visits.test.ts',
    ),
  },
  {
    name: 'tasks that were given up',
    files: inFolder('packages/sql/tasks', 'given-up.ts'),
    tests: inFolder('packages/sql/tasks', 'job-queue.test.ts'),
  },
  {
    name: 'health',
    files: ['services/bridge/health.ts', 'packages/http/health.ts'],
    tests: ['packages/http/operations.test.ts', 'services/bridge/health.test.ts'],
  },
  {
    name: 'notices',
    files: [
      'packages/sql/notices.ts',
      ...inFolder('services/referral/notices', 'plan-notices.ts', 'deliver-notices.ts'),
    ],
    tests: ['packages/sql/notices.test.ts', ...inFolder('services/referral', 'actions/told-side.test.ts')],
  },
  {
    name: 'renewed certificates',
    files: inFolder('packages/keys', 'renewed.ts', 'tls.ts'),
    tests: inFolder('packages/keys', 'tls.test.ts'),
  },
  {
    name: 'narratives',
    files: ['packages/fhir/validate/narrative.ts'],
    tests: ['packages/fhir/validate/narrative.test.ts'],
  },
]
