/** What a list of templates or ladders needs. */
export interface ListProps<Rule> {
  readonly canChange: boolean
  readonly edit: (rule: Rule) => void
}
