import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, unwrap } from '../../api/client.ts'
import { ApiError, getErrorMessage, isVersionMismatch } from '../../api/error.ts'
import { useWorkspace } from '../../api/me.ts'
import { openEndAccessDialog } from '../../components/end-access-dialog.tsx'
import { notifyError, notifySuccess } from '../../components/toast.tsx'
import { pluralize } from '../../format/number.ts'
import { explainCannotEdit } from './can-manage.ts'
import { invalidateRoles, type Role, storeRoles } from './queries.ts'
import { describePosition } from './rank-description.ts'
import { applyRanks, planMove, type RankChanges } from './rank-order.ts'
import { type RoleChanges, roleKeysQuery, roleKeysTexts } from './role-creations.ts'

const noChanges: RankChanges = new Map()

/** A role whose rank changes. */
export interface RankMove {
  readonly role: Role
  readonly rank: number
  /** Its new position: `below Lead, above Trainer`. */
  readonly position: string
}

/** The roles in the order that the user chose by moving them, which is saved on request. */
export function useRankOrder(roles: readonly Role[]) {
  const client = useQueryClient()
  const workspace = useWorkspace()
  const { id: workspaceId } = workspace
  const [pendingRanks, setPendingRanks] = useState(noChanges)
  const [announcement, setAnnouncement] = useState('')
  const [isBusy, setIsBusy] = useState(false)
  const [alert, setAlert] = useState('')
  const movableRoles = roles.filter((role) => explainCannotEdit(workspace, role) === null)
  // Changes by others in the meantime can make a change superfluous, or move a role out of reach.
  const changedRoles = movableRoles.filter(({ id, rank }) => (pendingRanks.get(id) ?? rank) !== rank)
  const ranks: RankChanges = new Map(changedRoles.map(({ id, rank }) => [id, pendingRanks.get(id) ?? rank]))
  const orderedRoles = applyRanks(roles, ranks)

  const explain = (error: unknown): string =>
    `${getErrorMessage(error)}${isVersionMismatch(error) ? ' Check the ranks, then save again.' : ''}`

  /** Saves the ranks of all of these roles or of none. @returns the roles afterwards */
  async function send(
    changes: readonly Role[],
    getRank: (role: Role) => number,
    revokeKeyIds = '',
  ): Promise<readonly Role[]> {
    const list = changes.map((role) => `${role.id}:${getRank(role)}:${role.version}`).join(',')
    const response = await unwrap(
      api.POST('/portal/api/roles/ranks', { body: { workspaceId, ranks: list, revokeKeyIds } }),
    )
    return storeRoles(client, workspaceId, response)
  }

  /** Saves the ranks, after a dialog if members whose rank falls have created API keys. */
  async function save(): Promise<void> {
    const lowered = changedRoles.filter(({ id, rank }) => (ranks.get(id) ?? rank) < rank)
    if (lowered.length === 0) return saveRanks('')
    setIsBusy(true)
    setAlert('')
    const changes: RoleChanges = new Map(
      changedRoles.map(({ id, permissions, rank }) => [id, { rank: ranks.get(id) ?? rank, permissions }]),
    )
    const keys = roleKeysQuery(workspaceId, roles, changes)
    try {
      const affectedKeys = keys.select(
        await client.fetchQuery({
          queryKey: keys.queryKey,
          queryFn: keys.queryFn,
          staleTime: 0,
          // Offline, it fails at once, which is shown, instead of waiting.
          networkMode: 'always',
        }),
      )
      if (affectedKeys.items.length === 0) return await saveRanks('')
      openEndAccessDialog({
        title: 'Save these ranks?',
        children: 'Members get a lower rank. Their API keys do not keep the higher one.',
        confirmLabel: 'Save ranks',
        color: 'green',
        keys,
        ...roleKeysTexts,
        run: saveRanks,
      })
    } catch (error) {
      setAlert(explain(error))
    } finally {
      setIsBusy(false)
    }
  }

  async function saveRanks(revokeKeyIds: string): Promise<void> {
    setIsBusy(true)
    setAlert('')
    try {
      const previousRanks = new Map(changedRoles.map(({ id, rank }) => [id, rank]))
      const saved = await send(changedRoles, ({ id, rank }) => ranks.get(id) ?? rank, revokeKeyIds)
      // What was moved in the meantime stays to be saved.
      setPendingRanks((pending) => new Map([...pending].filter(([id, rank]) => ranks.get(id) !== rank)))
      const [first, ...more] = changedRoles
      const message =
        first && more.length === 0
          ? `“${first.name}” now has rank ${ranks.get(first.id)}.`
          : `Changed the ranks of ${pluralize(changedRoles.length, 'role')}.`
      notifySuccess(message, {
        label: 'Undo',
        run: async () => {
          const undone = saved.filter(({ id }) => previousRanks.has(id))
          await send(undone, ({ id, rank }) => previousRanks.get(id) ?? rank).catch((error) => {
            void invalidateRoles(client, workspaceId)
            throw new ApiError(0, 'conflict', `The ranks were not restored: ${getErrorMessage(error)}`)
          })
        },
      })
    } catch (error) {
      setAlert(explain(error))
    } finally {
      await invalidateRoles(client, workspaceId)
      setIsBusy(false)
    }
  }

  /** Moves a role to an index, or to the next one in the same direction where its rank changes. */
  function move(role: Role, position: number): void {
    const first = orderedRoles.findIndex(({ id }) => movableRoles.some((movable) => movable.id === id))
    const current = orderedRoles.findIndex(({ id }) => id === role.id)
    const step = position < current ? -1 : 1
    for (let to = Math.max(first, position); to >= first && to < orderedRoles.length; to += step) {
      const changes = planMove(orderedRoles, role.id, to, workspace)
      if (changes === null) {
        notifyError(
          new ApiError(0, 'conflict', 'There is no rank left there. Edit the ranks as numbers instead.'),
        )
        return
      }
      if (changes.size === 0) continue
      const nextRanks = new Map([...ranks, ...changes])
      setPendingRanks(nextRanks)
      setAlert('')
      const rank = nextRanks.get(role.id) ?? role.rank
      const others = applyRanks(roles, nextRanks).filter(({ id }) => id !== role.id)
      setAnnouncement(`“${role.name}” moves to rank ${rank}: ${describePosition(rank, others)}.`)
      return
    }
    setAnnouncement(`“${role.name}” is already ${step < 0 ? 'as high as you can move it' : 'last'}.`)
  }

  return {
    orderedRoles,
    /** The last change, for screen readers. */
    announcement,
    canMove: ({ id }: Role) => movableRoles.some((role) => role.id === id),
    move,
    /** The unsaved changes, highest rank first. */
    moves: changedRoles
      .map((role): RankMove => {
        const rank = ranks.get(role.id) ?? role.rank
        return {
          role,
          rank,
          position: describePosition(
            rank,
            orderedRoles.filter(({ id }) => id !== role.id),
          ),
        }
      })
      .toSorted((a, b) => b.rank - a.rank),
    isBusy,
    alert,
    save,
    discard: () => {
      setPendingRanks(noChanges)
      setAlert('')
    },
  }
}

export type RankOrder = ReturnType<typeof useRankOrder>
