import { wire } from '@reeve/core'
import { FIRST_USERNAME_KEY, type Queries, statement } from '@reeve/db'

const PAGE_SIZE = 500

const accountsAfterId = statement<{ after: string; limit: number }>()((sql, p) =>
  sql
    .selectFrom('account')
    .select(['id', 'username', 'is_operator', 'disabled_at', 'created_at'])
    .where('id', '>', p.after)
    .where('username_key', '>', FIRST_USERNAME_KEY)
    .orderBy('id')
    .limit(p.limit),
)

/** All accounts of the instance, oldest first, in wire format. For operators. */
export async function listAllAccounts(db: Queries) {
  const accounts: { id: string; username: string; operator: string; status: string; createdAt: string }[] = []
  for (let after = ''; ; ) {
    const rows = await db.all(accountsAfterId, { after, limit: PAGE_SIZE })
    for (const row of rows) {
      accounts.push({
        id: row.id,
        username: row.username,
        operator: wire.boolean.write(row.is_operator === 1),
        status: row.disabled_at === null ? 'active' : 'disabled',
        createdAt: wire.time.write(row.created_at),
      })
    }
    if (rows.length < PAGE_SIZE) return { accounts }
    after = rows.at(-1)?.id ?? ''
  }
}
