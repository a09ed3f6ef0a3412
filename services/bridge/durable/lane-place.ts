/** Where a message stands in one of its lanes. */
export interface Place {
  readonly lane: string
  readonly ticket: number
}
