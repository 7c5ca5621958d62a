import { cliActor } from '@reeve/api/command-line/command'
import { deleteAccount } from '@reeve/instance'
import { removeMember } from '@reeve/members'
import { createCreatorWebhooks } from '@reeve/webhooks'
import type { Instance } from './instance.ts'

/** Deletes an account as `reeve user delete` does. */
export async function deleteAccountById({ db, ports }: Instance, id: string): Promise<void> {
  const { pause: pauseWebhooks } = createCreatorWebhooks(ports)
  await db.write((tx) =>
    deleteAccount(
      tx,
      ports,
      cliActor(ports),
      id,
      {},
      {
        removeFromWorkspace: (workspaceId) =>
          removeMember(tx, ports, cliActor(ports, workspaceId), { accountId: id }, pauseWebhooks),
        pauseWebhooks,
      },
    ),
  )
}
