import { AppError } from '@reeve/core'
import type { Database, Queries } from '@reeve/db'
import { idLiteral, usePostgres } from './engine.ts'
import type { Instance } from './instance.ts'

/**
 * Lets the database reject every insert or deletion of rows that a workspace has in a table, as with a damaged index.
 * @returns repairs it
 */
export async function damageRows(
  { storage }: Instance,
  event: 'insert' | 'delete',
  table: string,
  workspaceId: string,
): Promise<() => Promise<unknown>> {
  const row = event === 'insert' ? 'new' : 'old'
  const isDamaged = `${row}.workspace_id = ${idLiteral(workspaceId)}`
  if (!usePostgres) {
    await storage.query(
      `create trigger damaged before ${event} on ${table} when ${isDamaged} begin select raise(abort, 'damaged'); end`,
    )
    return () => storage.query('drop trigger damaged')
  }
  await storage.query(
    `create function reject_damaged() returns trigger language plpgsql as $$
       begin if ${isDamaged} then raise exception 'damaged'; end if; return ${row}; end $$`,
  )
  await storage.query(
    `create trigger damaged before ${event} on ${table} for each row execute function reject_damaged()`,
  )
  return () => storage.query('drop function reject_damaged cascade')
}

/**
 * A database in which statements about some workspaces are `unavailable`, as with a timeout or a bad sector under their rows. Those that
 * read many workspaces are not.
 */
export function failStatements(db: Database, isFailing: (workspaceId: string) => boolean): Database {
  const failIn = <T extends Queries>(queries: T): T =>
    new Proxy(queries, {
      get(target, name) {
        const method: unknown = Reflect.get(target, name)
        if (typeof method !== 'function') return method
        return (...args: unknown[]) => {
          const { workspaceId } = (args[1] ?? {}) as { readonly workspaceId?: string }
          if (workspaceId !== undefined && isFailing(workspaceId)) throw new AppError('unavailable')
          return method.apply(target, args)
        }
      },
    })
  return { ...db, read: failIn(db.read), write: (unit) => db.write((tx) => unit(failIn(tx))) }
}

/** A database in which all statements about a workspace are `unavailable`, except those with which a process claims work of it. */
export function failWork(db: Database, workspaceId: string): Database {
  // A process claims a row, and reads it.
  let claiming = 2
  return failStatements(db, (id) => id === workspaceId && claiming-- <= 0)
}
