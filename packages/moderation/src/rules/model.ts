import { wire } from '@reeve/core'
import { inputField, nullableString, pageFields, requestObject, stringField } from '@reeve/http'

/** What templates and ladders have in common. */

/** The maximum number of templates, and of ladders, of a workspace that are not archived. */
export const MAX_LIVE_RULES = 100

export const ruleName = (example: string) => wire.name({ min: 1, max: 60, example })

/** The query of a list. @param noun `template` or `ladder` */
export const toRuleQuery = (noun: string) =>
  requestObject({
    workspaceId: inputField(wire.id, 'The workspace'),
    id: inputField(wire.id, `One ${noun} with its earlier versions, instead of the list`),
    archived: inputField(wire.boolean, `\`true\` lists the archived ${noun}s instead`),
    ...pageFields,
  })

export const toRuleTimes = () => ({
  createdAt: stringField('When it was created', wire.time.example),
  updatedAt: stringField('When it was last changed', wire.time.example),
  archivedAt: nullableString('When it was archived'),
  version: stringField('Grows with every change; for If-Match', '1'),
})

export const replacementFields = {
  replacedAt: stringField('When the next version replaced it', wire.time.example),
  replacedBy: stringField('The account or API key that created the next version'),
}

interface RuleTimes {
  readonly created_at: number
  readonly updated_at: number
  readonly archived_at: number | null
  readonly version: number
}

export const presentRuleTimes = (row: RuleTimes) => ({
  createdAt: wire.time.write(row.created_at),
  updatedAt: wire.time.write(row.updated_at),
  archivedAt: wire.writeNullableTime(row.archived_at),
  version: String(row.version),
})
