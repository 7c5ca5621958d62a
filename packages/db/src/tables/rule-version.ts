import { id, idOrText, int32, integer, type Row, text } from './column.ts'

/** Earlier versions of templates and ladders. */
export const ruleVersionColumns = {
  workspace_id: id(),
  /** The template or ladder. */
  rule_id: id(),
  version: int32(),
  /** The row as JSON. */
  snapshot: text(),
  replaced_at: integer(),
  replaced_by: idOrText(),
}
export type RuleVersionTable = Row<typeof ruleVersionColumns>
