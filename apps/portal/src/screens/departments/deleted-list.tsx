import { Button, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { api, type Schemas, unwrap } from '../../api/client.ts'
import { getErrorMessage } from '../../api/error.ts'
import { useWorkspace } from '../../api/me.ts'
import { usePages } from '../../api/pages.ts'
import { DataList } from '../../components/data-list.tsx'
import { EmptyState } from '../../components/empty-error-loading.tsx'
import { ReadGate, WriteGuard } from '../../components/endpoint-state.tsx'
import { FormattedTime } from '../../components/formatted-time.tsx'
import { RoleDot } from '../../components/role-badge.tsx'
import { FormAlert } from '../../forms/form-alert.tsx'
import { departmentsKey } from './department-data.ts'
import classes from './departments.module.css'
import { useRestoreDepartment } from './use-restore-department.ts'

interface DeletedPage {
  readonly departments: readonly Schemas['Department'][]
  readonly nextCursor: string | null
}

/** Deleted departments by name, each with a button that restores it. */
export const DeletedList = (props: { readonly canChange: boolean }) => (
  <ReadGate endpoint="departments">
    <DeletedDepartments {...props} />
  </ReadGate>
)

function DeletedDepartments({ canChange }: { readonly canChange: boolean }) {
  const { id: workspaceId } = useWorkspace()
  const pages = usePages([...departmentsKey(workspaceId), 'deleted'], async (cursor) => {
    const query = { workspaceId, deleted: 'true', ...cursor } as const
    return (await unwrap(api.GET('/api/departments', { params: { query } }))) as DeletedPage
  })
  return (
    <DataList
      pages={pages}
      label="Deleted departments"
      rows={(page) => page.departments}
      rowKey={({ id }) => id}
      empty={
        <EmptyState icon={IconTrash} title="No deleted departments">
          Deleted departments are listed here with their members and can be restored.
        </EmptyState>
      }
    >
      {(department) => <DeletedRow department={department} canChange={canChange} />}
    </DataList>
  )
}

interface DeletedRowProps {
  readonly department: Schemas['Department']
  readonly canChange: boolean
}

function DeletedRow({ department, canChange }: DeletedRowProps) {
  const restore = useRestoreDepartment()
  const [isBusy, setIsBusy] = useState(false)
  const [alert, setAlert] = useState('')
  const { name, color, deletedAt } = department
  const restoreDepartment = async () => {
    setIsBusy(true)
    setAlert('')
    await restore(department).catch((error) => setAlert(getErrorMessage(error)))
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
              Deleted <FormattedTime value={deletedAt} />
            </Text>
          )}
        </div>
        {canChange ? (
          <WriteGuard endpoint="departments">
            <Button
              variant="default"
              loading={isBusy}
              onClick={() => void restoreDepartment()}
              aria-label={`Restore ${name}`}
            >
              Restore
            </Button>
          </WriteGuard>
        ) : null}
      </div>
      <FormAlert>{alert}</FormAlert>
    </>
  )
}
