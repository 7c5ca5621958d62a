import { MAX_BATCH_TARGETS, wire } from '@reeve/core'
import { type BatchItemTable, type BatchTable, batchItemStates } from '@reeve/db'
import {
  inputField,
  nextCursor,
  nullableInput,
  nullableString,
  pageFields,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { actionNames } from '../records/actions.ts'
import { ModerationRequest } from '../records/requests.ts'

/** Every moderation action but redaction, which nothing can reverse. */
export const bulkActions = actionNames.filter((name) => name !== 'redact')

/** What a request does instead of a moderation action. */
export const batchVerbs = ['undo', 'reverse', 'cancel'] as const

const {
  id: _,
  userId: __,
  userUsername: ___,
  action: ____,
  // A file belongs to one record.
  evidenceFiles: _____,
  // It names the sanction of one player.
  replaces: ______,
  workspaceId,
  ...actionInput
} = ModerationRequest.properties

/** A list of ids, also as an array. */
const targets = (codec: wire.Codec<readonly string[]>): wire.Codec<readonly string[]> => ({
  ...codec,
  readList: (items) => codec.read(items.join(',')),
})

export const BatchRequest = requestObject({
  workspaceId,
  action: inputField(
    wire.oneOf([...bulkActions, ...batchVerbs]),
    'A moderation action, which can be left out with `templateId`: then the ladder of the template decides for each player. Or `undo` for what an actor did since a time, `reverse` for a batch that has ended, or `cancel` for one that has not',
  ),
  userIds: inputField(targets(wire.playerIdList(MAX_BATCH_TARGETS)), 'The players, for actions on players'),
  recordIds: inputField(targets(wire.ids(MAX_BATCH_TARGETS)), 'The records, for actions on records'),
  ...actionInput,
  actorUserId: inputField(wire.id, 'For `undo`: the account or API key whose changes are undone'),
  since: inputField(wire.time, 'For `undo`: only changes at or after this time'),
  id: inputField(wire.id, 'For `reverse` and `cancel`: the batch'),
  sequence: nullableInput(
    wire.integer({ min: 0, max: Number.MAX_SAFE_INTEGER, example: '42' }),
    'For bans, mutes and lifts: the `sequence` of the preview; by default that of the start. `null`, as in previews of other actions, is the same as none. Targets whose ban or mute, or whose step of the ladder, has changed since then are left alone',
  ),
  dryRun: inputField(wire.boolean, '`true` returns what would happen, and changes nothing'),
})

export type BatchInput = Static<typeof BatchRequest>

export const BatchQuery = requestObject({
  workspaceId: inputField(wire.id, 'The workspace'),
  id: inputField(wire.id, 'One batch with its results, instead of the list'),
  result: inputField(wire.oneOf(batchItemStates), 'With `id`: only these results'),
  ...pageFields,
})

export type BatchQueryInput = Static<typeof BatchQuery>

const count = (description: string, example: string) => stringField(description, example)

const Batch = responseObject(
  {
    id: stringField('Id of the batch'),
    kind: stringField(
      '`actions` on a list, `undo` of what an actor did, or `reversal` of a batch',
      'actions',
    ),
    state: stringField('`queued`, `running`, `succeeded`, `failed` or `cancelled`', 'succeeded'),
    action: nullableString(
      'The moderation action; null for an undo or a reversal, and where the ladder of a template decides',
      'ban',
    ),
    actorUserId: nullableString('An undo: the account or API key whose changes are undone'),
    since: nullableString('An undo: only changes at or after this time', wire.time.example),
    reverses: nullableString('A reversal: the batch that it reverses'),
    reversedBy: nullableString('The batch that has reversed this one'),
    total: count('Number of players or records', '120'),
    succeeded: count('How many were changed', '118'),
    unchanged: count('How many needed no change', '0'),
    failed: count('How many failed or were left alone', '2'),
    error: nullableString('Why the batch stopped before its end'),
    createdBy: stringField('The account or API key that requested it'),
    createdByUsername: stringField('Its name; empty once it was blanked', 'robin'),
    createdAt: stringField('When it was requested', wire.time.example),
    startedAt: nullableString('When it began'),
    finishedAt: nullableString('When it ended; null until then'),
  },
  'A batch of moderation actions',
  'Batch',
)

export type Batch = Static<typeof Batch>

const TargetResult = responseObject(
  {
    target: stringField('The player or the record', wire.platformId.example),
    state: stringField('`pending`, `succeeded`, `unchanged` or `failed`', 'succeeded'),
    recordId: nullableString('The record that was created or changed, or left alone'),
    caseNumber: nullableString('Its case number', '17'),
    userId: nullableString('Its player', wire.platformId.example),
    action: nullableString('The action of the record; in a preview also of one that would be created', 'ban'),
    durationSeconds: nullableString('Its duration; null is permanent, or for actions without one', '604800'),
    step: nullableString('The step of the ladder that it has or would have; null without a ladder', '2'),
    code: nullableString('The code of the error', 'conflict'),
    message: nullableString('Why it failed, or why it was left alone'),
  },
  'What became of one player or record',
)

export type TargetResult = Static<typeof TargetResult>

const playerName = nullableString(
  'The newest known name of the player; null if none is known, and without `moderation.view`',
  'Builderman',
)

const BatchResult = responseObject(
  {
    ...TargetResult.properties,
    userUsername: playerName,
    settled: nullableString(
      'Of a target that was left alone: why nothing is left to do for it now, such as a ban that somebody has lifted meanwhile. Null if the action can still be done, for other targets, and without `moderation.view`',
      'This player has no active ban.',
    ),
  },
  'What became of one player or record',
)

const PreviewResult = responseObject(
  {
    ...TargetResult.properties,
    userUsername: playerName,
    replacesCaseNumber: nullableString(
      'The case number of the ban or mute in force that it would replace; null if there is none, and without `moderation.view`',
      '12',
    ),
    replacesExpiresAt: nullableString(
      'When that one would end; null if it is permanent, or none is replaced',
      wire.time.example,
    ),
  },
  'What would become of one player or record',
  'BatchPreviewResult',
)

export type PreviewResult = Static<typeof PreviewResult>

export const BatchResponse = responseObject({ batch: Batch }, 'The batch')
export const BatchesResponse = responseObject(
  { batches: Type.Array(Batch, { description: 'Newest first' }), nextCursor },
  'Batches',
)
export const BatchWithResultsResponse = responseObject(
  { batch: Batch, results: Type.Array(BatchResult, { description: 'In the order of the work' }), nextCursor },
  'The batch and its results',
)
export const BatchPreviewResponse = responseObject(
  {
    preview: responseObject(
      {
        total: count('Number of players or records', '120'),
        sequence: nullableString(
          'Of which sequence the preview is: start the batch with it, so that nothing is replaced or lifted that the preview does not show. Null if nothing is',
          '42',
        ),
        actions: Type.Array(
          responseObject(
            {
              action: stringField('The moderation action', 'ban'),
              count: count('Number of times', '118'),
            },
            'An action',
          ),
          { description: 'What would be done, or undone, most frequent first' },
        ),
        succeeded: count('How many of the results would be changed', '118'),
        unchanged: count('How many would need no change', '0'),
        failed: count('How many would fail or be left alone', '2'),
        results: Type.Array(PreviewResult, { description: `The first ${MAX_BATCH_TARGETS}` }),
        otherChanges: Type.Union(
          [
            Type.Array(
              responseObject(
                {
                  kind: stringField('What was changed, as `targetKind` in the audit log', 'player_link'),
                  count: count('Number of changes', '2'),
                },
                'Changes that an undo leaves alone',
              ),
            ),
            Type.Null(),
          ],
          {
            nullable: true,
            description:
              'An undo: what else the actor has changed since then, which it leaves alone, most frequent first. Null without `audit.view`, and for other batches',
          },
        ),
        otherActors: Type.Array(
          responseObject(
            {
              actorUserId: stringField('The account or API key'),
              actorUsername: stringField('Its name; empty if it is unknown', 'Old bot'),
              count: count('Number of changes of records', '12'),
            },
            'An account or API key of the same person',
          ),
          {
            description:
              'An undo: the API keys that the same person created, and their account, if they have changed records since then. Each needs an undo of its own',
          },
        ),
      },
      'What would happen',
      'BatchPreview',
    ),
  },
  'What a batch would do; nothing has changed',
)

export type BatchPreview = Static<typeof BatchPreviewResponse>

/** Converts a row to its API form. */
export function presentBatch(row: BatchTable): Batch {
  const { id: createdBy, name: createdByUsername }: { id: string; name: string } = JSON.parse(row.actor)
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    action: row.action,
    actorUserId: row.target_actor_id,
    since: wire.writeNullableTime(row.since),
    reverses: row.reverses_id,
    reversedBy: row.reversed_by_id,
    total: String(row.total),
    succeeded: String(row.succeeded),
    unchanged: String(row.unchanged),
    failed: String(row.failed),
    error: row.error,
    createdBy,
    createdByUsername,
    createdAt: wire.time.write(row.created_at),
    startedAt: wire.writeNullableTime(row.started_at),
    finishedAt: wire.writeNullableTime(row.finished_at),
  }
}

/** The record of a result, as far as results show it. */
export interface ResultRecord {
  readonly id: string
  readonly case_number: number
  readonly user_id: string
  readonly action: string
  readonly duration_seconds: number | null
  readonly step: number | null
}

const presentNumber = (value: number | null | undefined): string | null =>
  value === null || value === undefined ? null : String(value)

/** @param measure what the record of a preview would have, which does not exist */
export const presentResult = (
  {
    target,
    state,
    record_id,
    code,
    message,
  }: Omit<
    BatchItemTable,
    'workspace_id' | 'batch_id' | 'number' | 'reverses_from' | 'reverses_to' | 'from_sequence' | 'to_sequence'
  >,
  record: ResultRecord | undefined,
  measure: Pick<ResultRecord, 'action' | 'duration_seconds' | 'step'> | undefined = record,
): TargetResult => ({
  target,
  state,
  recordId: record?.id ?? record_id,
  caseNumber: record === undefined ? null : String(record.case_number),
  userId: record?.user_id ?? null,
  action: measure?.action ?? null,
  durationSeconds: presentNumber(measure?.duration_seconds),
  step: presentNumber(measure?.step),
  code,
  message,
})
