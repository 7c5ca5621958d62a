/**
 * Measures how long it takes to count the members who need a second factor and have none, which blocks other work on SQLite. The processor time
 * is that of this process, which contains the database on SQLite.
 * `bun test/bench/second-factor.ts [members]`, and with REEVE_TEST_ENGINE=postgres on PostgreSQL.
 */
import {
  type AccountTable,
  insertAll,
  type MemberRoleTable,
  type MemberTable,
  statement,
  type TotpTable,
} from '@reeve/db'
import { openInstance } from '../support/instance.ts'

const MEMBERS = Number(process.argv[2] ?? 10_000)
const ROLES = 3
/** One member in so many has no authenticator app. */
const WITHOUT_EVERY = 4
const RUNS = 20
const PER_TRANSACTION = 500

const insertAccount = statement<AccountTable>()((sql, p) => insertAll(sql, 'account', p))
const insertMember = statement<MemberTable>()((sql, p) => insertAll(sql, 'member', p))
const insertMemberRole = statement<MemberRoleTable>()((sql, p) => insertAll(sql, 'member_role', p))
const insertTotp = statement<TotpTable>()((sql, p) => insertAll(sql, 'totp', p))
const requireFactor = statement<{ workspaceId: string; since: number }>()((sql, p) =>
  sql
    .updateTable('role')
    .set({ second_factor_since: p.since })
    .where('workspace_id', '=', p.workspaceId)
    .where('is_owner', '=', 0),
)

const instance = await openInstance()
const { id: workspace_id, ownerSession } = await instance.workspace()
const now = instance.ports.now()
const roles: string[] = []
for (let index = 0; index < ROLES; index++)
  roles.push(await instance.role(workspace_id, ['moderation.ban'], 10 + index))
await instance.db.write((tx) => tx.run(requireFactor, { workspaceId: workspace_id, since: now }))

for (let start = 0; start < MEMBERS; start += PER_TRANSACTION) {
  await instance.db.write(async (tx) => {
    for (let index = start; index < Math.min(start + PER_TRANSACTION, MEMBERS); index++) {
      const account_id = instance.ports.newId()
      const username = `member ${index}`
      await tx.run(insertAccount, {
        ...{ id: account_id, username, username_key: username, username_skeleton: username },
        ...{ password_hash: null, is_operator: 0, email: null, email_key: null, user_handle: null },
        ...{ disabled_at: null, created_at: now, updated_at: now },
      })
      await tx.run(insertMember, { workspace_id, account_id, joined_at: now })
      for (const role_id of roles)
        await tx.run(insertMemberRole, { workspace_id, account_id, role_id, assigned_at: now })
      if (index % WITHOUT_EVERY === 0) continue
      const unused = { last_step: 0, used_steps: '[]', last_used_at: null }
      await tx.run(insertTotp, { account_id, secret: 'x', created_at: now, ...unused })
    }
  })
}

const path = `/portal/api/second-factor-policy?workspaceId=${workspace_id}`
const expected = String(Math.ceil(MEMBERS / WITHOUT_EVERY))
const [durations, processorTimes]: [number[], number[]] = [[], []]
for (let run = 0; run < RUNS; run++) {
  const start = performance.now()
  const used = process.cpuUsage()
  const { body, text } = await instance.request('GET', path, { session: ownerSession })
  durations.push(performance.now() - start)
  const { user, system } = process.cpuUsage(used)
  processorTimes.push((user + system) / 1000)
  if (body.membersWithoutSecondFactor !== expected) throw new Error(`expected ${expected}: ${text}`)
}
const describe = (times: readonly number[]): string => {
  const sorted = times.toSorted((one, other) => one - other)
  return `median ${sorted[RUNS / 2]?.toFixed(1)} ms, slowest ${sorted.at(-1)?.toFixed(1)} ms`
}
process.stdout.write(
  `${MEMBERS} members with ${ROLES} roles each: ${describe(durations)}; processor time: ${describe(processorTimes)}\n`,
)
await instance.close()
