/** Where RXE and RXO have what belongs together: they say the same in different places. */
export interface DrugFields {
  readonly drug: number
  readonly otherDrug: number
  readonly form: number
  readonly strength: number
  readonly strengthUnit: number
  readonly volume: number
  readonly volumeUnit: number
  readonly doseMin: number
  readonly doseMax: number
  readonly doseUnit: number
  /** The amount in this time: `H1`, `D`. */
  readonly per: number
  readonly rate: number
  readonly rateUnit: number
  readonly dailyDose: number
  readonly instructions: number
  /** What the pharmacy writes on the label. RXO has none. */
  readonly dispensing?: number
  readonly amount: number
  readonly amountUnit: number
  readonly firstAmount?: number
  readonly verifier: number
}
