import type { Draft } from '../draft.ts'

export function mapAdt(draft: Draft): void {
  draft.refuse({ code: '201', severity: 'E', text: 'This event is not mapped.' })
}
