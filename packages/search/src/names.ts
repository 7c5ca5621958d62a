import { normalizeName } from '@reeve/core'
import { mayContainWord, type Queries, statement } from '@reeve/db'
import { selectBestMatches } from './rank.ts'
import { SCAN_LIMIT, type SearchText } from './search-text.ts'

type ScanParams = { workspaceId: string; word: string; limit: number }

const memberByName = statement<{ workspaceId: string; usernameKey: string }>()((sql, p) =>
  sql
    .selectFrom('member')
    .innerJoin('account', 'account.id', 'member.account_id')
    .select(['account.id', 'account.username'])
    .where('member.workspace_id', '=', p.workspaceId)
    .where('account.username_key', '=', p.usernameKey),
)
const membersByWord = statement<ScanParams>()((sql, p, dialect) =>
  sql
    .selectFrom((eb) =>
      eb
        .selectFrom('member')
        .innerJoin('account', 'account.id', 'member.account_id')
        .select(['account.id', 'account.username', 'account.username_key'])
        .where('member.workspace_id', '=', p.workspaceId)
        .orderBy('member.account_id', 'desc')
        .limit(p.limit)
        .as('candidate'),
    )
    .select(['id', 'username'])
    .where(mayContainWord(dialect, 'username_key', p.word))
    .orderBy('username_key'),
)
// The number of roles of a workspace is limited, so all of them are read.
const rolesByWord = statement<Omit<ScanParams, 'limit'>>()((sql, p, dialect) =>
  sql
    .selectFrom('role')
    .select(['id', 'name', 'color'])
    .where('workspace_id', '=', p.workspaceId)
    .where(mayContainWord(dialect, 'name_key', p.word))
    .orderBy('name_key'),
)
const departmentsByWord = statement<ScanParams>()((sql, p, dialect) =>
  sql
    .selectFrom((eb) =>
      eb
        .selectFrom('department')
        .select(['id', 'name', 'color', 'name_key'])
        .where('workspace_id', '=', p.workspaceId)
        .where('deleted_at', 'is', null)
        .orderBy('name_key')
        .limit(p.limit)
        .as('candidate'),
    )
    .select(['id', 'name', 'color'])
    .where(mayContainWord(dialect, 'name_key', p.word))
    .orderBy('name_key'),
)

/** Members by username. One with exactly this name is found in a workspace of any size. */
export async function findMembers(db: Queries, workspaceId: string, { q, word }: SearchText) {
  const exact = await db.all(memberByName, { workspaceId, usernameKey: normalizeName(q.trim()) })
  const others = await db.all(membersByWord, { workspaceId, word, limit: SCAN_LIMIT })
  const candidates = [...exact, ...others.filter(({ id }) => id !== exact[0]?.id)]
  return selectBestMatches(candidates, q, ({ username }) => [username]).map(({ id, username }) => ({
    accountId: id,
    username,
  }))
}

/** Roles by name. */
export async function findRoles(db: Queries, workspaceId: string, { q, word }: SearchText) {
  return selectBestMatches(await db.all(rolesByWord, { workspaceId, word }), q, ({ name }) => [name])
}

/** Departments by name. */
export async function findDepartments(db: Queries, workspaceId: string, { q, word }: SearchText) {
  const rows = await db.all(departmentsByWord, { workspaceId, word, limit: SCAN_LIMIT })
  return selectBestMatches(rows, q, ({ name }) => [name])
}
