import { Checkbox, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Dialog } from '../../../components/dialog.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { DialogForm } from '../../../forms/dialog-form.tsx'
import { useSubmit } from '../../../forms/use-submit.ts'
import type { RecordListKind } from '../list-kinds.ts'
import { type SavedView, useSavedViewActions } from './saved-views.ts'

interface Props {
  /** The view to rename or share, or `new`; null while the dialog is closed. */
  readonly target: SavedView | 'new' | null
  readonly list: RecordListKind
  /** The filters of a new view. */
  readonly filters: string
  readonly close: () => void
  readonly onSaved: (view: SavedView) => void
}

/** Saves the filters under a name, or changes the name of a view and who sees it. */
export const ViewDialog = ({ target, ...props }: Props) => (
  <Dialog
    opened={target !== null}
    onClose={props.close}
    title={target === 'new' || target === null ? 'Save this view' : `Edit the view “${target.name}”`}
    closeOnClickOutside={false}
  >
    {target === null ? null : <ViewFields view={target === 'new' ? null : target} {...props} />}
  </Dialog>
)

const labels = { name: 'Name', shared: 'Share with the workspace' }

function ViewFields({
  view,
  list,
  filters,
  close,
  onSaved,
}: Omit<Props, 'target'> & { readonly view: SavedView | null }) {
  const { create, change } = useSavedViewActions()
  const form = useForm({
    mode: 'uncontrolled',
    initialValues: { name: view?.name ?? '', shared: view?.shared === 'true' },
  })
  const submit = useSubmit(form, labels, async ({ name, shared }) => {
    const fields = { name, shared: String(shared) }
    const saved = view ? await change(view, fields) : await create({ list, filters, ...fields })
    close()
    notifySuccess(`Saved the view “${saved.name}”.`)
    onSaved(saved)
  })
  return (
    <DialogForm submit={submit} submitLabel={view ? 'Save' : 'Save view'}>
      <TextInput
        label={labels.name}
        name="name"
        autoComplete="off"
        maxLength={60}
        data-autofocus
        key={form.key('name')}
        {...form.getInputProps('name')}
      />
      <Checkbox
        label={labels.shared}
        description="Everyone who can view cases sees it."
        key={form.key('shared')}
        {...form.getInputProps('shared', { type: 'checkbox' })}
      />
    </DialogForm>
  )
}
