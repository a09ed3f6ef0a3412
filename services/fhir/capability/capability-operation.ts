export interface CapabilityOperation {
  readonly type: string
  /** Without the dollar sign. */
  readonly name: string
  /** The canonical address of its OperationDefinition. */
  readonly definition: string
  /** What of the definition is not here. */
  readonly documentation?: string
}
