/** A valid request for the document. The tests send every one of them. */
export interface Example {
  readonly summary: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, string>>
}
