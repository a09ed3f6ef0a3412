import { untriedFor } from '../../../packages/sql/tasks/task-attempt.ts'

/** At once, it would go before all that waits, and take the place of what is meant for others. */
export const turnTooLate = () => untriedFor(1_000, 'Its turn came too late.')
