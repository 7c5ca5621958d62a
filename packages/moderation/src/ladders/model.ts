import { type LadderStep, MAX_LADDER_DAYS, wire } from '@reeve/core'
import type { LadderTable } from '@reeve/db'
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
import { presentRuleTimes, replacementFields, ruleName, toRuleQuery, toRuleTimes } from '../rules/model.ts'
import { ladderSteps, presentStep } from './steps.ts'

export const LadderRequest = requestObject({
  workspaceId: inputField(wire.id, 'The workspace; in query or body'),
  action: inputField(wire.oneOf(['create', 'update', 'archive', 'restore']), '`create` by default'),
  id: inputField(wire.id, 'The ladder'),
  name: inputField(ruleName('Chat'), 'Unique among the ladders that are not archived'),
  windowDays: nullableInput(
    wire.integer({ min: 1, max: MAX_LADDER_DAYS, example: '90' }),
    'How many days a record counts; absent or null forever',
  ),
  steps: inputField(ladderSteps),
})

export type LadderInput = Static<typeof LadderRequest>

export const LadderQuery = toRuleQuery('ladder')

export type LadderQueryInput = Static<typeof LadderQuery>

const LadderStepResponse = responseObject(
  {
    count: stringField('The first number of records to which the step applies; 1 is the first record', '2'),
    action: stringField('`note`, `warn`, `kick`, `mute` or `ban`', 'mute'),
    durationSeconds: nullableString('Of a ban or mute; null is permanent', wire.duration.example),
    decayDays: nullableString('How many days its record counts, if fewer than the window has', '30'),
  },
  'A step of a ladder',
  'LadderStep',
)

const ladderFields = {
  id: stringField('Id of the ladder'),
  workspaceId: stringField('The workspace it belongs to'),
  name: stringField('Its name', 'Chat'),
  windowDays: nullableString('How many days a record counts; null is forever', '90'),
  steps: Type.Array(LadderStepResponse, { description: 'By count' }),
  ...toRuleTimes(),
}

const Ladder = responseObject(ladderFields, 'An escalation ladder')

export const LadderResponse = responseObject({ ladder: Ladder }, 'The ladder')
export const LaddersResponse = responseObject({ ladders: Type.Array(Ladder), nextCursor }, 'Ladders by name')
export const LadderWithVersionsResponse = responseObject(
  {
    ladder: Ladder,
    versions: Type.Array(
      responseObject({ ...ladderFields, ...replacementFields }, 'A ladder before a change', 'LadderVersion'),
      { description: 'Oldest first' },
    ),
    nextCursor,
  },
  'The ladder and its earlier versions',
)

/** The steps as the column stores them. */
export const parseSteps = (row: Pick<LadderTable, 'steps'>): LadderStep[] => JSON.parse(row.steps)

/** Converts a row to its API form. */
export const presentLadder = (row: LadderTable): Static<typeof Ladder> => ({
  id: row.id,
  workspaceId: row.workspace_id,
  name: row.name,
  windowDays: row.window_days === null ? null : String(row.window_days),
  steps: parseSteps(row).map(presentStep),
  ...presentRuleTimes(row),
})
