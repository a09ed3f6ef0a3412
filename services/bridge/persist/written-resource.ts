/** What a message has done to one resource of the store; `none`: it says what was there already. */
export interface WrittenResource {
  readonly reference: string
  readonly type: string
  readonly versionId?: string
  readonly operation: 'create' | 'update' | 'delete' | 'none'
}
