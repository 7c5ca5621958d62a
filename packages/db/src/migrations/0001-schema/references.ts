import type { Reference } from '../create-table.ts'

export const toWorkspace: Reference = { columns: ['workspace_id'], to: 'workspace', keys: ['id'] }
export const toAccount: Reference = { columns: ['account_id'], to: 'account', keys: ['id'] }
export const toMember: Reference = {
  columns: ['workspace_id', 'account_id'],
  to: 'member',
  keys: ['workspace_id', 'account_id'],
}
