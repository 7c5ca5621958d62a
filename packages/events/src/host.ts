import { type FieldProblem, invalidRequest } from '@reeve/core'
import { type EventTable, statement, type Transaction } from '@reeve/db'
import type { EventInput } from './model.ts'

const memberName = statement<{ workspaceId: string; accountId: string }>()((sql, p) =>
  sql
    .selectFrom('member')
    .innerJoin('account', 'account.id', 'member.account_id')
    .select('username')
    .where('member.workspace_id', '=', p.workspaceId)
    .where('member.account_id', '=', p.accountId),
)

type Host = Pick<EventTable, 'training_host' | 'host_account_id'>

/**
 * The host after a request: a member with their name at this time, or the name of a guest. A host who has since left the workspace
 * stays, until another one is set.
 * @throws AppError `invalid_request` if the account is not a member
 */
export async function resolveHost(tx: Transaction, input: EventInput, row: EventTable): Promise<Host> {
  const { hostAccountId, trainingHost } = input
  if (trainingHost !== undefined && trainingHost !== null && hostAccountId) {
    throw invalidHost('cannot be combined with trainingHost')
  }
  if (hostAccountId && hostAccountId !== row.host_account_id) {
    const member = await tx.first(memberName, { workspaceId: row.workspace_id, accountId: hostAccountId })
    if (!member) throw invalidHost('must be a member of the workspace')
    return { training_host: member.username, host_account_id: hostAccountId }
  }
  if (hostAccountId || (hostAccountId === undefined && trainingHost === undefined)) {
    return { training_host: row.training_host, host_account_id: row.host_account_id }
  }
  const guest = row.host_account_id === null ? row.training_host : null
  return { training_host: trainingHost === undefined ? guest : trainingHost, host_account_id: null }
}

const invalidHost = (message: FieldProblem['message']) => invalidRequest({ field: 'hostAccountId', message })
