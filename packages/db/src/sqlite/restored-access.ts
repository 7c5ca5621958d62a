import type { Database as Engine, SQLQueryBindings } from 'bun:sqlite'
import { fsyncFile } from '../fsync.ts'
import { DELETE_HISTORY } from '../history-id.ts'
import { Connection } from './connection.ts'

/** What a restore has done about access that the backup would bring back. */
export interface RestoredAccess {
  /** Sessions that were ended. */
  readonly sessions: number
  /** Invitations that were withdrawn: some of them may have been used or withdrawn since. */
  readonly invitations: number
  /** API keys that were revoked again, because the replaced database had them as revoked. */
  readonly revokedKeys: number
  /** API keys that work, and wait for confirmation. */
  readonly keysToConfirm: number
}

type Revocation = readonly [id: SQLQueryBindings, at: SQLQueryBindings, by: SQLQueryBindings]

/**
 * Limits the access that a backup brings back, before its database is used: ends all sessions, withdraws invitations, deletes links,
 * challenges and waiting mails, revokes the keys that were revoked since, and marks all others for confirmation. The next start begins
 * another history of changes.
 * @param file the database of the backup
 * @param replaced the database that it replaces; null if there is none
 */
export function limitRestoredAccess(file: string, replaced: string | null, now: number): RestoredAccess {
  const revocations = replaced === null ? [] : readRevocations(replaced)
  const engine = new Connection(file, { readwrite: true })
  try {
    engine.run('PRAGMA synchronous = FULL')
    return engine.transaction(() => limitAccess(engine, revocations, now)).immediate()
  } finally {
    engine.close()
    fsyncFile(file)
  }
}

function limitAccess(engine: Engine, revocations: readonly Revocation[], now: number): RestoredAccess {
  const { changes: sessions } = engine.run('delete from session')
  // The backup cannot tell which of them were used or withdrawn since.
  const { changes: invitations } = engine.run('delete from invitation')
  engine.run('delete from one_time_token')
  engine.run(DELETE_HISTORY)
  // Some would be sent twice.
  engine.run('delete from mail')
  let revokedKeys = 0
  for (const [id, at, by] of revocations)
    revokedKeys += engine.run(
      'update api_key set revoked_at = ?2, revoked_by = ?3 where id = ?1 and (revoked_at is null or revoked_at > ?2)',
      [id, at, by] as SQLQueryBindings[],
    ).changes
  const { changes: keysToConfirm } = engine.run(
    `update api_key set restored_at = ?1
     where (revoked_at is null or revoked_at > ?1) and (expires_at is null or expires_at > ?1)`,
    [now],
  )
  return { sessions, invitations, revokedKeys, keysToConfirm }
}

/** The keys that are revoked in a database; none if it cannot be read, which is often why it is replaced. */
function readRevocations(file: string): readonly Revocation[] {
  let engine: Connection | undefined
  try {
    engine = new Connection(file, { readonly: true })
    return engine
      .query('select id, revoked_at, revoked_by from api_key where revoked_at is not null')
      .values() as unknown as Revocation[]
  } catch {
    return []
  } finally {
    engine?.close()
  }
}
