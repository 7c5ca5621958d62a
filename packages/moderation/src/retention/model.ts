import { wire } from '@reeve/core'
import type { RetentionTable } from '@reeve/db'
import {
  inputField,
  nullableInput,
  nullableString,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import type { Static } from '@sinclair/typebox'

/** The most days after which records can be deleted. */
const MAX_RETENTION_DAYS = 3650

const days = wire.integer({ min: 1, max: MAX_RETENTION_DAYS, example: '365' })

const rule = (records: string) =>
  nullableInput(days, `${records}: days after the last change until they are deleted; null keeps them`)

export const RetentionRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace; in query or body'),
  noteDays: rule('Notes'),
  warnDays: rule('Warnings'),
  kickDays: rule('Kicks'),
  muteDays: rule('Mutes'),
  banDays: rule('Bans'),
})
export type RetentionInput = Static<typeof RetentionRequest>

export const RetentionQuery = requestObject({ workspaceId: inputField(wire.id, 'The workspace') })

const previewedRule = (records: string) => inputField(days, `${records}: as in the rules; absent keeps them`)

export const RetentionPreviewQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  noteDays: previewedRule('Notes'),
  warnDays: previewedRule('Warnings'),
  kickDays: previewedRule('Kicks'),
  muteDays: previewedRule('Mutes'),
  banDays: previewedRule('Bans'),
})
export type RetentionPreviewInput = Static<typeof RetentionPreviewQuery>

const storedRule = (records: string, example?: string) =>
  nullableString(`${records}: days after the last change until they are deleted; null keeps them`, example)

export const RetentionResponse = responseObject(
  {
    retention: responseObject(
      {
        workspaceId: stringField('The workspace'),
        noteDays: storedRule('Notes', '365'),
        warnDays: storedRule('Warnings', '730'),
        kickDays: storedRule('Kicks', '730'),
        muteDays: storedRule('Mutes'),
        banDays: storedRule('Bans'),
        nextRunAt: stringField('The midnight in UTC from which records are deleted next', wire.time.example),
        version: stringField('Grows with every change; for If-Match', '1'),
      },
      'After how many days records are deleted',
      'Retention',
    ),
  },
  'The retention rules',
)

const count = (records: string, example = '0') => stringField(`How many ${records}`, example)

export const RetentionPreviewResponse = responseObject(
  {
    due: responseObject(
      {
        notes: count('notes', '12'),
        warnings: count('warnings', '3'),
        kicks: count('kicks'),
        mutes: count('mutes'),
        bans: count('bans'),
        total: count('records', '15'),
        at: stringField('When they would be deleted', wire.time.example),
      },
      'The records that the next run would delete',
      'DueRecords',
    ),
  },
  'What the next run would delete with these rules',
)

const toText = (value: number | null): string | null => (value === null ? null : String(value))

/** The rules as the audit log has them. */
export const presentRules = (row: RetentionTable) => ({
  noteDays: toText(row.note_days),
  warnDays: toText(row.warn_days),
  kickDays: toText(row.kick_days),
  muteDays: toText(row.mute_days),
  banDays: toText(row.ban_days),
})

/** Converts a row to its API form. @param nextRunAt epoch milliseconds */
export const presentRetention = (
  row: RetentionTable,
  nextRunAt: number,
): Static<typeof RetentionResponse>['retention'] => ({
  workspaceId: row.workspace_id,
  ...presentRules(row),
  nextRunAt: wire.time.write(nextRunAt),
  version: String(row.version),
})
