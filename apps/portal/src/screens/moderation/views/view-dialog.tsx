import { Checkbox, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { Dialog } from '../../../components/dialog.tsx'
import { notifySuccess } from '../../../components/toast.tsx'
import { DialogForm } from '../../../forms/dialog-form.tsx'
import { EditConflict } from '../../../forms/edit-conflict.tsx'
import { useEditConflict } from '../../../forms/use-edit-conflict.ts'
import { useSubmit } from '../../../forms/use-submit.ts'
import { useVersionedSave } from '../../../forms/use-versioned-save.ts'
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
const sharedLabels: Readonly<Record<string, string>> = { true: 'Shared', false: 'Not shared' }

/** A view as fields of the form. */
const toValues = (view: SavedView | null) => ({ name: view?.name ?? '', shared: view?.shared ?? 'false' })

function ViewFields({
  view,
  list,
  filters,
  close,
  onSaved,
}: Omit<Props, 'target'> & { readonly view: SavedView | null }) {
  const { create, change, readLatest } = useSavedViewActions()
  const form = useForm({ mode: 'controlled', initialValues: toValues(view) })
  const conflict = useEditConflict(form, labels, (name, value) =>
    name === 'shared' ? (sharedLabels[value] ?? value) : value,
  )
  const save = useVersionedSave<SavedView | null>({
    opened: view,
    readLatest: async () => view && (await readLatest(view.id)),
    report: (before, theirs) => conflict.report('view', toValues(before), toValues(theirs)),
  })
  const submit = useSubmit(form, labels, async (values) => {
    const saved = await save((edited) =>
      edited ? change(edited, values) : create({ list, filters, ...values }),
    )
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
        {...form.getInputProps('name')}
      />
      <Checkbox
        label={labels.shared}
        description="Everyone who can view cases sees it."
        checked={form.values.shared === 'true'}
        onChange={(event) => form.setFieldValue('shared', String(event.currentTarget.checked))}
      />
      <EditConflict {...conflict} />
    </DialogForm>
  )
}
