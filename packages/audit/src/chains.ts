import { type Queries, statement } from '@reeve/db'
import { INSTANCE_CHAIN } from './append.ts'

const chainHeads = statement()((sql) => sql.selectFrom('workspace_head').selectAll().orderBy('workspace_id'))
/** A copy that is not complete is hidden, and has no chain yet. */
const visibleWorkspaces = statement()((sql) =>
  sql.selectFrom('workspace').select('id').where('hidden', 'is', null).orderBy('id'),
)
const anyAccount = statement()((sql) => sql.selectFrom('account').select('id').limit(1))

/** The head of a chain. */
export interface ChainHead {
  readonly workspace_id: string
  readonly audit_sequence: number
  readonly audit_hash: string
}

/** The head of every chain, in the order of their workspaces. */
export const listChains = (queries: Queries) => queries.all(chainHeads, {})

/** The chains that must be there: that of the instance once it has an account, and those of all workspaces. */
export async function listExpectedChains(queries: Queries): Promise<string[]> {
  const workspaces = await queries.all(visibleWorkspaces, {})
  const instance = (await queries.first(anyAccount, {})) ? [INSTANCE_CHAIN] : []
  return [...instance, ...workspaces.map(({ id }) => id)]
}
