/** The largest of however many: a call takes only some hundred thousand arguments. */
export const most = (numbers: readonly number[]): number =>
  numbers.reduce((largest, number) => Math.max(largest, number), Number.NEGATIVE_INFINITY)
