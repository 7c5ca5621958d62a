import type { Transaction } from './database.ts'
import { toIndexedName } from './indexed-name.ts'
import { type IndexedName, rawStatement, statement } from './statement.ts'
import type { PlayerNameTable, RecordTable } from './tables/index.ts'

/**
 * The most names of a player that a search finds; a further one replaces the oldest. It limits how much a search reads for
 * a player, and is more names than players have.
 */
const MAX_NAMES_PER_PLAYER = 50

interface NameKey {
  readonly workspaceId: string
  readonly userId: string
  readonly name: string
}

// Not "on conflict": the number of a name that exists would be lost, and gaps make searches slower.
const insertName = statement<NameKey>()((sql, p, dialect) =>
  sql
    .insertInto('player_name')
    .columns(['workspace_id', 'user_id', 'name', 'id'])
    .expression(
      sql
        .selectNoFrom((eb) => [
          eb.val(p.workspaceId).as('workspace_id'),
          eb.cast<string>(eb.val(p.userId), 'text').as('user_id'),
          eb.cast<string>(eb.val(p.name), 'text').as('name'),
          dialect.nameIndex.nextId.as('id'),
        ])
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('player_name')
                .select('id')
                .where('workspace_id', '=', p.workspaceId)
                .where('user_id', '=', p.userId)
                .where('name', '=', p.name),
            ),
          ),
        ),
    )
    .returning('id'),
)
const namesOfPlayer = statement<{ workspaceId: string; userId: string }>()((sql, p) =>
  sql
    .selectFrom('player_name')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('user_id', '=', p.userId)
    .orderBy('id'),
)
const nameOfPlayer = statement<NameKey>()((sql, p) =>
  sql
    .selectFrom('player_name')
    .selectAll()
    .where('workspace_id', '=', p.workspaceId)
    .where('user_id', '=', p.userId)
    .where('name', '=', p.name),
)
const namesOfWorkspace = statement<{ workspaceId: string; limit: number }>()((sql, p) =>
  sql.selectFrom('player_name').selectAll().where('workspace_id', '=', p.workspaceId).limit(p.limit),
)
const deleteName = statement<NameKey>()((sql, p) =>
  sql
    .deleteFrom('player_name')
    .where('workspace_id', '=', p.workspaceId)
    .where('user_id', '=', p.userId)
    .where('name', '=', p.name),
)
const newestNames = statement<{ workspaceId: string; userId: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('record')
    .select('user_username')
    .where('workspace_id', '=', p.workspaceId)
    .where('user_id', '=', p.userId)
    .orderBy('case_number', 'desc')
    .limit(p.limit),
)
/** `workspaceId` selects the lock of the transaction. */
interface IndexEntry extends IndexedName {
  readonly workspaceId: string
}
const insertGrams = statement<IndexEntry>()((sql, p, dialect) =>
  rawStatement(sql, dialect.nameIndex.insert(p)),
)
const removeGrams = statement<IndexEntry>()((sql, p, dialect) =>
  rawStatement(sql, dialect.nameIndex.remove(p)),
)

/** Makes a player findable by a name. Writes nothing if they are already. */
export async function addPlayerName(tx: Transaction, key: NameKey): Promise<void> {
  const added = await tx.first(insertName, key)
  if (!added) return
  const { workspaceId, userId, name } = key
  const row = { workspace_id: workspaceId, user_id: userId, name, id: added.id }
  await tx.run(insertGrams, { workspaceId, ...toIndexedName(row) })
  const names = await tx.all(namesOfPlayer, key)
  for (const oldest of names.slice(0, -MAX_NAMES_PER_PLAYER)) await deletePlayerName(tx, oldest)
}

/** Makes a player no longer findable by a name. */
async function removePlayerName(tx: Transaction, key: NameKey): Promise<void> {
  const row = await tx.first(nameOfPlayer, key)
  if (row) await deletePlayerName(tx, row)
}

/** How many of a player's newest records are searched for a name that one of them no longer has. */
const NAME_CHECK_RECORDS = 1000

/** Makes the player of a record findable by the name in it, and not by a name that none of their records has any more. */
export async function updatePlayerNames(
  tx: Transaction,
  {
    workspace_id: workspaceId,
    user_id: userId,
    user_username: name,
  }: Pick<RecordTable, 'workspace_id' | 'user_id' | 'user_username'>,
  previousName: string | null,
): Promise<void> {
  if (name === previousName) return
  if (name !== null) await addPlayerName(tx, { workspaceId, userId, name })
  if (previousName === null) return
  const records = await tx.all(newestNames, { workspaceId, userId, limit: NAME_CHECK_RECORDS })
  // Of a player with more records, a name too many is better than one too few.
  if (records.length === NAME_CHECK_RECORDS) return
  if (records.some((record) => record.user_username === previousName)) return
  await removePlayerName(tx, { workspaceId, userId, name: previousName })
}

/** Removes every name of a player. @returns how many there were */
export async function removePlayerNames(
  tx: Transaction,
  key: Pick<NameKey, 'workspaceId' | 'userId'>,
): Promise<number> {
  const names = await tx.all(namesOfPlayer, key)
  for (const name of names) await deletePlayerName(tx, name)
  return names.length
}

/** Removes some of the names in a workspace. @returns whether there may be more */
export async function removeSomePlayerNames(tx: Transaction, workspaceId: string): Promise<boolean> {
  const limit = 50
  const names = await tx.all(namesOfWorkspace, { workspaceId, limit })
  for (const name of names) await deletePlayerName(tx, name)
  return names.length === limit
}

async function deletePlayerName(tx: Transaction, row: PlayerNameTable): Promise<void> {
  const { workspace_id: workspaceId, user_id: userId, name } = row
  await tx.run(removeGrams, { workspaceId, ...toIndexedName(row) })
  await tx.run(deleteName, { workspaceId, userId, name })
}
