// What `npm run test:faults` runs: the fault suites, and those suites of other folders that try more cases in the long
// run (`CORRIDOR_TEST_LONG`). docs/goal-table.md says how many.
export const faultSuites = [
  'test/faults',
  'test/attacks/schema-fuzz',
  'test/attacks/injection-into-messages',
  'packages/hl7/mllp/framer',
  'packages/hl7/properties',
  'services/bridge/mapping/properties',
  'services/bridge/durable/durable-store',
  'services/bridge/durable/answer-after-commit',
  'services/bridge/audit/audit',
  'services/fhir/routes/concurrency',
]

/** A test that takes a second every day may take minutes here. */
export const longTestTimeoutMs = 1_800_000
