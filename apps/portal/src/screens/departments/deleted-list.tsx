import { Button, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { api, type Schemas, take } from '../../api/client.ts'
import { sentenceOf } from '../../api/error.ts'
import { useWorkspace } from '../../api/me.ts'
import { usePages } from '../../api/pages.ts'
import { DataList } from '../../components/data-list.tsx'
import { FormAlert } from '../../components/form-alert.tsx'
import { PlainTime } from '../../components/plain-time.tsx'
import { RoleDot } from '../../components/role-badge.tsx'
import { EmptyState } from '../../components/states.tsx'
import { departmentsKey } from './department-data.ts'
import classes from './departments.module.css'
import { useRestore } from './use-restore.ts'

interface DeletedPage {
  readonly departments: readonly Schemas['Department'][]
  readonly nextCursor: string | null
}

/** The departments that were deleted, by name, each of which can come back. */
export function DeletedList({ mayChange }: { readonly mayChange: boolean }) {
  const { id: workspaceId } = useWorkspace()
  const pages = usePages([...departmentsKey(workspaceId), 'deleted'], async (cursor) => {
    const query = { workspaceId, deleted: 'true', ...cursor } as const
    return (await take(api.GET('/api/departments', { params: { query } }))) as DeletedPage
  })
  return (
    <DataList
      pages={pages}
      label="Deleted departments"
      rows={(page) => page.departments}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon={IconTrash} title="Nothing is deleted">
          A department that is deleted is kept here, with everybody who was in it, and can be restored.
        </EmptyState>
      }
    >
      {(department) => <DeletedRow department={department} mayChange={mayChange} />}
    </DataList>
  )
}

interface RowProps {
  readonly department: Schemas['Department']
  readonly mayChange: boolean
}

function DeletedRow({ department, mayChange }: RowProps) {
  const restore = useRestore()
  const [isBusy, setIsBusy] = useState(false)
  const [alert, setAlert] = useState('')
  const { name, color, deletedAt } = department
  const go = async () => {
    setIsBusy(true)
    setAlert('')
    await restore(department).catch((error) => setAlert(sentenceOf(error)))
    setIsBusy(false)
  }
  return (
    <>
      <div className={classes.deleted}>
        <div className={classes.text}>
          <Text component="div" fw={600} className={classes.name}>
            <RoleDot color={color} />
            <bdi>{name}</bdi>
          </Text>
          {deletedAt === null ? null : (
            <Text size="sm" c="dimmed">
              Deleted <PlainTime at={deletedAt} />
            </Text>
          )}
        </div>
        {mayChange ? (
          <Button variant="default" loading={isBusy} onClick={() => void go()} aria-label={`Restore ${name}`}>
            Restore
          </Button>
        ) : null}
      </div>
      <FormAlert>{alert}</FormAlert>
    </>
  )
}
