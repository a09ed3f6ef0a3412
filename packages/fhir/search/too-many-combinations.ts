import { Fault } from '../../faults/fault.ts'

interface CombinationLimits {
  /** Of one element. */
  readonly ofNodeMax: number
  /** Of the whole resource. */
  readonly ofParameterMax: number
}

/** A resource whose values would be found by more combinations than an index should hold. */
export class TooManyCombinations extends Fault {
  constructor(parameter: string, { ofNodeMax, ofParameterMax }: CombinationLimits) {
    super(
      'unprocessable',
      `The search parameter ${parameter} would have too many combinations of values: ` +
        `${ofNodeMax} of one element and ${ofParameterMax} of a resource are the limit. Send fewer codings.`,
      { code: 'TOO_MANY_COMBINATIONS' },
    )
    this.name = 'TooManyCombinations'
  }
}
