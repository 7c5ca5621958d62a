import { listCodec, type SanctionKind, sanctionKinds, wire } from '@reeve/core'
import {
  inputField,
  nextCursor,
  nullableString,
  requestObject,
  responseObject,
  stringField,
} from '@reeve/http'
import { type Static, Type } from '@sinclair/typebox'
import { SanctionInForce, sanctionFields } from '../sanctions.ts'

/** How long a request may wait for a change, in seconds. Roblox ends requests after 30 seconds. */
export const MAX_WAIT_SECONDS = 25
/** The maximum number of changes in a response. */
export const MAX_CHANGES = 1000
/** The maximum number of sanctions on a page of the snapshot. */
export const SNAPSHOT_PAGE = 10_000

const kindList: wire.Codec<readonly SanctionKind[]> = listCodec(wire.oneOf(sanctionKinds), {
  max: sanctionKinds.length,
  items: 'kinds',
  example: 'ban,mute',
})

const EPOCH = /^[0-9a-f]{12}-\d{1,10}$/

/** The epoch of a workspace, as a response contained it. */
const epoch: wire.Codec<string> = {
  read: (text) => {
    if (!EPOCH.test(text))
      throw new wire.WireError('must be the epoch of a snapshot or of an earlier response')
    return text
  },
  write: (value) => value,
  description: 'The `epoch` of the snapshot or of the previous response',
  example: '5b0c3f9a17de-0',
}

const workspaceId = inputField(wire.id, 'The workspace')
const kinds = inputField(kindList, 'Only sanctions of these kinds; both by default')

export const ChangesQuery = requestObject({
  workspaceId,
  since: inputField(
    wire.integer({ min: 0, max: Number.MAX_SAFE_INTEGER, example: '42' }),
    'The `sequence` of the snapshot, or `next` of the previous response',
  ),
  epoch: inputField(epoch),
  wait: inputField(
    wire.integer({ min: 0, max: MAX_WAIT_SECONDS, example: '0' }),
    'How many seconds to wait for a change if there is none yet; 0 by default',
  ),
  kinds,
  limit: inputField(
    wire.integer({ min: 1, max: MAX_CHANGES, example: '1000' }),
    `The maximum number of changes; ${MAX_CHANGES} by default`,
  ),
})

export type ChangesInput = Static<typeof ChangesQuery>

export const SnapshotQuery = requestObject({
  workspaceId,
  kinds,
  format: inputField(wire.oneOf(['json', 'ids']), '`json` by default; `ids` is one small body'),
  limit: inputField(
    wire.integer({ min: 1, max: SNAPSHOT_PAGE, example: '10000' }),
    `The size of a page of \`json\`; ${SNAPSHOT_PAGE} by default`,
  ),
  cursor: inputField(wire.cursor),
})

export type SnapshotInput = Static<typeof SnapshotQuery>

const epochField = stringField(
  'Changes when the history does, by a restore, a roll-back or a move: sequences of another epoch mean nothing',
  epoch.example,
)

const platforms = Type.Array(Type.String(), {
  description:
    'The platforms that ids of players without a platform mean, or meant before the default changed; the default first',
})

const Change = responseObject(
  {
    sequence: stringField('The sequence of the last change that this state contains', '42'),
    op: stringField(
      '`set`: the player has this sanction from now on, until `expiresAt`; `clear`: the player has none of this kind',
      'set',
    ),
    ...sanctionFields,
    recordId: stringField('The record; for `clear`, the one that ended'),
    expiresAt: nullableString('When it expires; null is never, and for `clear`', wire.time.example),
    reason: nullableString('Its reason; null for `clear`', 'Exploiting'),
    appealCode: nullableString('The code with which the player appeals; null for `clear`', '7K3M9-Q9TX2'),
  },
  'The current state of one kind of sanction of one player',
  'Change',
)

export type Change = Static<typeof Change>

export const ChangesResponse = responseObject(
  {
    changes: Type.Array(Change, {
      description: 'The players whose sanctions changed, each with the current state, by sequence',
    }),
    next: stringField('Pass as `since` of the next request', '42'),
    epoch: epochField,
    platforms,
    more: stringField('`true` if there are more changes already: send the next request at once', 'false'),
    now: stringField('The time of the server, to apply `expiresAt`', wire.time.example),
    pollAfter: stringField('How many seconds to wait before the next request', '0'),
  },
  'The changes',
)

export const SnapshotResponse = responseObject(
  {
    sanctions: Type.Array(SanctionInForce, { description: 'The sanctions in force, by kind and player' }),
    sequence: stringField('Pass as `since` to `GET /api/changes`, after the last page', '42'),
    epoch: epochField,
    platforms,
    nextCursor,
  },
  'A page of the snapshot',
)

const IdSet = responseObject(
  {
    kind: sanctionFields.kind,
    count: stringField('The number of players in `ids`', '3'),
    ids: stringField(
      'The numeric user IDs, sorted: base64 of variable-length integers (LEB128), each the difference to the ID before',
      'hQK7IMgE',
    ),
    expiries: stringField(
      'Of those that expire, in the order of `ids`: base64 of pairs of variable-length integers, the difference to the index before and the expiry in seconds since 2020-01-01T00:00:00Z, rounded up',
      'AYCXrGk=',
    ),
    others: Type.Array(
      responseObject(
        { userId: sanctionFields.userId, expiresAt: sanctionFields.expiresAt },
        'A player whose ID is not a number below 2^53',
        'OtherId',
      ),
      { description: 'The players whose IDs are not numbers' },
    ),
  },
  'The players with a sanction of one kind',
  'IdSet',
)

export const SnapshotIdsResponse = responseObject(
  {
    sets: Type.Array(IdSet, { description: 'One set for each kind' }),
    sequence: SnapshotResponse.properties.sequence,
    epoch: epochField,
    platforms,
  },
  'All sanctions in force',
)
