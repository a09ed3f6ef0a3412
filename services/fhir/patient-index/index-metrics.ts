import type { Metrics } from '../../../packages/metrics/metrics.ts'

export const indexMetrics = (metrics: Metrics) => ({
  truncated: metrics.counter(
    'corridor_patient_index_truncated_total',
    'Patients looked for who have so much in common with so many that not all of these were compared; none is certain',
  ),
})

export type IndexMetrics = ReturnType<typeof indexMetrics>
