// What `npm run test:faults` runs: the fault suites, and those suites of other folders that try more cases there than
// in `npm test`. docs/goal-table.md says how many.
export const faultSuites = [
  'test/faults',
  'test/attacks/schema-fuzz',
  'test/attacks/route-table',
  'test/attacks/injection-into-messages',
  'packages/hl7/mllp/framer',
  'packages/hl7/properties',
  'services/bridge/mapping/properties',
  'services/bridge/durable/durable-store',
  'services/bridge/durable/answer-after-commit',
  'services/bridge/audit/audit',
  'services/fhir/routes/concurrency',
  'services/auth/attacks/login',
]

/** What a run beyond the daily one takes; a test that takes a second every day may take minutes or hours in it. */
export const extents = {
  long: { takes: 'about 40 minutes', testTimeoutMs: 1_800_000 },
  night: { takes: 'about two hours', testTimeoutMs: 14_400_000 },
}
