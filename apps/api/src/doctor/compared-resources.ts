import {
  ACCOUNT_CREATION,
  type ComparedResource,
  compareResources,
  INSTANCE_CHAIN,
  type ResourceDifference,
  type RowsKey,
} from '@reeve/audit'
import { compareApiKeys } from '@reeve/auth'
import {
  type AccountTable,
  type DepartmentTable,
  type EndpointControlTable,
  type EventTable,
  FIRST_USERNAME_KEY,
  type LadderTable,
  type Queries,
  type RoleTable,
  statement,
  type TemplateTable,
} from '@reeve/db'
import { presentDepartment } from '@reeve/departments'
import { listStoredControls, presentControl } from '@reeve/endpoint-controls'
import { presentEvent } from '@reeve/events'
import { compareMembers } from '@reeve/members'
import { presentLadder, presentTemplate } from '@reeve/moderation'
import { presentRole } from '@reeve/permissions'

/** Rows of a table, highest id first. Kysely requires a known table name for its types, hence the cast. */
const rowsBelow = (table: 'role' | 'department' | 'event' | 'template' | 'ladder') =>
  statement<RowsKey>()((sql, p) =>
    sql
      .selectFrom(table as 'role')
      .selectAll()
      .where('workspace_id', '=', p.workspaceId)
      .where('id', '<', p.beforeId)
      .orderBy('id', 'desc')
      .limit(p.limit),
  )

const rolesBelow = rowsBelow('role')
const departmentsBelow = rowsBelow('department')
const eventsBelow = rowsBelow('event')
const templatesBelow = rowsBelow('template')
const laddersBelow = rowsBelow('ladder')

/** Accounts that were not deleted. */
const accountsBelow = statement<Omit<RowsKey, 'workspaceId'>>()((sql, p) =>
  sql
    .selectFrom('account')
    .select(['id', 'is_operator'])
    .where('id', '<', p.beforeId)
    .where('username_key', '>=', FIRST_USERNAME_KEY)
    .orderBy('id', 'desc')
    .limit(p.limit),
)

/** Fields that the log leaves out, that depend on the time or on settings, or that follow from others. */
const NOT_COMPARED: ReadonlySet<string> = new Set([
  'id',
  'workspaceId',
  'createdAt',
  'createdBy',
  'updatedAt',
  'updatedBy',
  'version',
  'status',
  'imageUrl',
  'image_url',
])

const pickCompared = (presented: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(presented).filter(([field]) => !NOT_COMPARED.has(field)))

const imageUrlCodec = { read: String, write: String, description: '', example: '' }

const roles: ComparedResource<RoleTable> = {
  target: 'role',
  readRows: (read, key) => read.all(rolesBelow, key),
  present: (row) => pickCompared(presentRole(row)),
  // It is created with its workspace, and cannot be changed.
  isUnlogged: (row) => row.is_owner === 1,
}
const departments: ComparedResource<DepartmentTable> = {
  target: 'department',
  readRows: (read, key) => read.all(departmentsBelow, key) as unknown as Promise<DepartmentTable[]>,
  present: (row) => pickCompared(presentDepartment(row)),
}
const events: ComparedResource<EventTable> = {
  target: 'event',
  readRows: (read, key) => read.all(eventsBelow, key) as unknown as Promise<EventTable[]>,
  present(row) {
    const { trainingHost, ...presented } = presentEvent(row, 0, imageUrlCodec)
    // The name of a member is null only once it was blanked. The log keeps the same name where it was that of a guest.
    const isBlanked = trainingHost === null && row.host_account_id !== null
    return pickCompared(isBlanked ? presented : { ...presented, trainingHost })
  },
}
const templates: ComparedResource<TemplateTable> = {
  target: 'template',
  readRows: (read, key) => read.all(templatesBelow, key) as unknown as Promise<TemplateTable[]>,
  present(row) {
    // The order of templates is an entry about the workspace.
    const { position: _, ...presented } = presentTemplate(row)
    return pickCompared(presented)
  },
}
const ladders: ComparedResource<LadderTable> = {
  target: 'ladder',
  readRows: (read, key) => read.all(laddersBelow, key) as unknown as Promise<LadderTable[]>,
  present: (row) => pickCompared(presentLadder(row)),
}
const controls: ComparedResource<EndpointControlTable & { readonly id: string }> = {
  target: 'endpoint_control',
  async readRows(read, { workspaceId }) {
    // The log names an endpoint control by its endpoint. There are fewer than a page has.
    const rows = await listStoredControls(read, workspaceId)
    return rows
      .map((row) => ({ ...row, id: row.endpoint }))
      .sort((one, other) => (one.endpoint < other.endpoint ? 1 : -1))
  },
  present: (row) => pickCompared(presentControl(row)),
}

const accounts: ComparedResource<Pick<AccountTable, 'id' | 'is_operator'>> = {
  target: 'account',
  // Sign-ins and changes of factors have the same target.
  actions: new Set([
    ACCOUNT_CREATION,
    'accounts.make_operator',
    'accounts.unmake_operator',
    'accounts.disable',
    'accounts.enable',
    'accounts.delete',
  ]),
  readRows: (read, { beforeId, limit }) => read.all(accountsBelow, { beforeId, limit }),
  present: (row) => ({ isOperator: row.is_operator === 1 }),
}

type Compare = (
  read: Queries,
  workspaceId: string,
  onDifference: (difference: ResourceDifference) => void,
) => Promise<number>

const compareWith =
  <Row extends { readonly id: string }>(resource: ComparedResource<Row>): Compare =>
  (read, workspaceId, onDifference) =>
    compareResources(read, workspaceId, resource, onDifference)

/** Accounts are in the log of the instance. */
const compareAccounts: Compare = async (read, chain, onDifference) =>
  chain === INSTANCE_CHAIN ? compareResources(read, chain, accounts, onDifference) : 0

/** What is compared with the audit log besides records, by what a finding calls it: first what gives access. */
export const comparisons: readonly { readonly name: string; readonly compare: Compare }[] = [
  { name: 'account', compare: compareAccounts },
  { name: 'API key', compare: compareApiKeys },
  { name: 'member', compare: compareMembers },
  { name: 'role', compare: compareWith(roles) },
  { name: 'endpoint control', compare: compareWith(controls) },
  { name: 'template', compare: compareWith(templates) },
  { name: 'ladder', compare: compareWith(ladders) },
  { name: 'department', compare: compareWith(departments) },
  { name: 'event', compare: compareWith(events) },
]
