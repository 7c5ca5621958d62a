import { severities, wire } from '@reeve/core'
import type { TemplateTable } from '@reeve/db'
import {
  inputField,
  nextCursor,
  nullableInput,
  nullableString,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import {
  MAX_LIVE_RULES,
  presentRuleTimes,
  replacementFields,
  ruleName,
  toRuleQuery,
  toRuleTimes,
} from '../rules/model.ts'

/** The longest time before a player can appeal, in days. */
const MAX_APPEAL_DAYS = 365

/** The maximum length of a public reason, in characters. */
export const MAX_PUBLIC_REASON_LENGTH = 400

const publicReason = wire.text({
  min: 1,
  max: MAX_PUBLIC_REASON_LENGTH,
  multiline: true,
  example: 'You used an exploit. This is against rule 3.',
})

export const TemplateRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace; in query or body'),
  action: inputField(
    wire.oneOf(['create', 'update', 'archive', 'restore', 'order']),
    '`create` by default; `order` sorts the templates as `ids` does',
  ),
  id: inputField(wire.id, 'The template'),
  name: inputField(ruleName('Exploiting'), 'Unique among the templates that are not archived'),
  publicReason: inputField(publicReason, 'What the player reads'),
  defaultSeverity: nullableInput(
    wire.oneOf(severities),
    'The severity of its records; absent or null for the default of their action',
  ),
  appealable: inputField(wire.boolean, 'Whether players can appeal against its records; `true` by default'),
  appealAfterDays: inputField(
    wire.integer({ min: 0, max: MAX_APPEAL_DAYS, example: '7' }),
    'How many days after the record a player can appeal; 0 by default',
  ),
  ladderId: nullableInput(wire.id, 'The ladder that decides the action; absent or null: the moderator does'),
  ids: inputField(
    wire.ids(MAX_LIVE_RULES),
    'For `order`: every template that is not archived, once, first to last',
  ),
})

export type TemplateInput = Static<typeof TemplateRequest>

export const TemplateQuery = toRuleQuery('template')

export type TemplateQueryInput = Static<typeof TemplateQuery>

const templateFields = {
  id: stringField('Id of the template'),
  workspaceId: stringField('The workspace it belongs to'),
  name: stringField('Its name', 'Exploiting'),
  publicReason: stringField('What the player reads', publicReason.example),
  defaultSeverity: nullableString(
    'The severity of its records; null for the default of their action',
    'high',
  ),
  appealable: stringField('`true` if players can appeal against its records', 'true'),
  appealAfterDays: stringField('How many days after the record a player can appeal', '7'),
  ladderId: nullableString('The ladder that decides the action; null: the moderator does'),
  position: stringField('Its place among the templates, from 1', '1'),
  ...toRuleTimes(),
}

const Template = responseObject(templateFields, 'A reason template')

export const TemplateResponse = responseObject({ template: Template }, 'The template')
export const TemplatesResponse = responseObject(
  {
    templates: Type.Array(Template),
    ladders: Type.Array(
      responseObject(
        { id: stringField('Id of the ladder'), name: stringField('Its name', 'Chat') },
        'The name of a ladder',
        'LadderName',
      ),
      { description: 'The ladders of these templates' },
    ),
    nextCursor,
  },
  'Templates in their order, with the names of their ladders',
)
export const TemplateWithVersionsResponse = responseObject(
  {
    template: Template,
    versions: Type.Array(
      responseObject(
        { ...templateFields, ...replacementFields },
        'A template before a change',
        'TemplateVersion',
      ),
      { description: 'Oldest first' },
    ),
    nextCursor,
  },
  'The template and its earlier versions',
)

/** Converts a row to its API form. */
export const presentTemplate = (row: TemplateTable): Static<typeof Template> => ({
  id: row.id,
  workspaceId: row.workspace_id,
  name: row.name,
  publicReason: row.public_reason,
  defaultSeverity: row.default_severity,
  appealable: String(row.is_appealable === 1),
  appealAfterDays: String(row.appeal_after_days),
  ladderId: row.ladder_id,
  position: String(row.position),
  ...presentRuleTimes(row),
})
