// What `npm run test:faults` runs: the fault suites, and those suites of other folders that try more cases there than
// in `npm test`. docs/goal-table.md says how many. What takes longest stands first and is begun first, so that no core is
// left alone with it in the end: the first four are the longest of the night. The last line is all that takes less.
export const faultSuites = [
  'services/fhir/routes/concurrency',
  'test/attacks/schema-fuzz',
  'test/faults/bridge-overload',
  'test/faults/simulator',
  'packages/hl7/properties',
  'test/faults/bridge-kills',
  'packages/hl7/mllp/framer',
  'test/faults/bridge-poison',
  'test/faults/corridor-kills',
  'test/faults/database-write-errors',
  'test/faults/two-copies',
  'test/faults/bridge-load',
  'test/attacks/injection-into-messages',
  'test/attacks/damaged-messages',
  'test/attacks/route-table',
  'test/faults/database-kills',
  'test/faults/platform-disk-full',
  'test/faults/platform-dependencies',
  'test/faults/key-rotation',
  'test/faults/platform-database',
  'test/faults/bridge-store',
  'test/faults/bridge-command',
  'test/faults/platform-connections',
  'services/bridge/durable/answer-after-commit',
  'services/bridge/mapping/properties',
  'services/bridge/outbound/evaluate-events',
  'services/bridge/audit/audit',
  'services/bridge/durable/durable-store',
  'packages/sql/tasks/task-line-order',
  'services/auth/attacks/login',
  'test/faults',
]

/** What a run beyond the daily one takes; a test that takes a second every day may take minutes or hours in it. */
export const extents = {
  long: { takes: '35 to 40 minutes', testTimeoutMs: 1_800_000 },
  night: { takes: 'about two hours', testTimeoutMs: 14_400_000 },
}
