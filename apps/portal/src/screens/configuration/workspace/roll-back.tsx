import { useWorkspace } from '../../../api/me.ts'
import { confirm } from '../../../components/confirm.tsx'
import { tellDone } from '../../../components/tell.tsx'
import { date, dateTime } from '../../../format/time.ts'
import { type Archive, actOn, useAfterAction } from './data.ts'
import { HoldingTable } from './holding.tsx'
import classes from './workspace.module.css'

/** Asks, and then puts an archived workspace back to what one of its archives holds. */
export function useRollBack(): (archive: Archive) => void {
  const { id, groupName, isOwner } = useWorkspace()
  const after = useAfterAction(id)
  return (archive) => {
    const at = dateTime(archive.createdAt)
    confirm({
      title: `Roll ${groupName} back to ${at}?`,
      action: 'Roll it back',
      isDestructive: true,
      typed: groupName,
      children: (
        <>
          <HoldingTable workspaceId={id} then={{ title: date(archive.createdAt), counts: archive.counts }} />
          <ul className={classes.list}>
            <li>What it holds now is sealed into a new archive first, so this can be taken back.</li>
            <li>
              Members, roles, departments, records, events and endpoint controls become exactly those of {at}:
              whatever came later is gone from the workspace.
            </li>
            {archive.groupName === groupName ? null : (
              <li>
                It is called <bdi>{archive.groupName}</bdi> again.
              </li>
            )}
            <li>
              {isOwner ? 'You stay the owner' : 'The owner stays the owner'}, API keys stay as they are, the
              audit log goes on, and what was redacted stays redacted.
            </li>
            <li>It is back in use at once.</li>
          </ul>
        </>
      ),
      run: async () => {
        await actOn({ action: 'restore', id, fromArchive: archive.id })
        await after()
        tellDone(`${archive.groupName} is as it was on ${at}, and in use again.`)
      },
    })
  }
}
