import { createPorts } from '@reeve/api/ports'
import { claimSecretKey } from '@reeve/api/secret-key/check-value'
import { createAccount, createApiKey, createSession } from '@reeve/auth'
import { type Actor, anonymousActor, OWNER_RANK, type Ports, permissions } from '@reeve/core'
import { type DataLocation, openDatabase } from '@reeve/db'
import { createWorkspace } from '@reeve/workspaces'
import { secretKeyBytes } from '../../support/secret-key.ts'

export const ports: Ports = createPorts(secretKeyBytes)

/** A workspace with credentials to write in it. */
export interface WorkspaceCredentials {
  readonly workspaceId: string
  readonly key: string
  readonly ownerId: string
  /** A session token of its owner. */
  readonly session: string
}

const system: Actor = {
  ...anonymousActor,
  id: 'faults',
  name: 'faults',
  permissions: new Set(permissions),
  rank: OWNER_RANK,
}

const client = { ip: '127.0.0.1', userAgent: 'faults', factors: ['password'] } as const

/** Creates an instance with workspaces in a data folder or a database, and closes it. */
export async function populate(
  dataDir: string,
  count: number,
  databaseUrl: DataLocation['databaseUrl'] = null,
): Promise<WorkspaceCredentials[]> {
  const { database: db } = await openDatabase({ dataDir, databaseUrl }, { now: ports.now })
  await claimSecretKey(db, ports)
  const workspaceCredentials: WorkspaceCredentials[] = []
  for (let index = 0; index < count; index++) {
    const credentials = await db.write(async (tx) => {
      const owner = await createAccount(tx, ports, system, {
        username: `owner ${index}`,
        passwordHash: 'nobody signs in',
        isOperator: false,
      })
      const created = await createWorkspace(tx, ports, system, {
        groupName: `group ${index}`,
        ownerId: owner.id,
      })
      const workspaceId = created.workspace.id
      const actor: Actor = { ...system, workspaceId }
      const { secret } = await createApiKey(tx, ports, actor, {
        name: 'faults',
        permissions,
        expiresAt: null,
        allowedAddresses: null,
      })
      const session = await createSession(tx, ports, owner.id, client)
      return { workspaceId, key: secret, ownerId: owner.id, session }
    })
    workspaceCredentials.push(credentials)
  }
  await db.close()
  return workspaceCredentials
}

/** Signs the owners in again, in a data folder that no server uses: a restore has ended their sessions. */
export async function renewSessions(
  dataDir: string,
  workspaces: readonly WorkspaceCredentials[],
): Promise<WorkspaceCredentials[]> {
  const { database: db } = await openDatabase({ dataDir, databaseUrl: null }, { now: ports.now })
  const renewed: WorkspaceCredentials[] = []
  for (const workspace of workspaces) {
    const session = await db.write((tx) => createSession(tx, ports, workspace.ownerId, client))
    renewed.push({ ...workspace, session })
  }
  await db.close()
  return renewed
}
