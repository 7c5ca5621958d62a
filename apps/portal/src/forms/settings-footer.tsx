import { Button, Group } from '@mantine/core'
import type { SwitchableEndpoint } from '@reeve/core'
import type { TypedText } from '../components/dialog-texts.ts'
import { WriteGuard } from '../components/endpoint-state.tsx'
import { UnsavedText } from '../components/unsaved-text.tsx'
import { EditConflict } from './edit-conflict.tsx'
import { FormAlert } from './form-alert.tsx'
import type { EditConflict as Conflict } from './use-edit-conflict.ts'
import type { FormSubmission } from './use-submit.ts'

interface Props {
  readonly form: { readonly isDirty: () => boolean; readonly reset: () => void }
  readonly submit: FormSubmission
  readonly conflict: Conflict
  /** Reads what was entered and is not saved, which is shown once more if somebody else makes the form disappear. */
  readonly readTexts: () => readonly TypedText[]
  /** The endpoint that the form changes something through. */
  readonly writesTo: SwitchableEndpoint
  /** Whether the user may save. */
  readonly canChange?: boolean
}

/** The end of a form of `useStoredForm`: what someone else has changed, the error, and the button. It asks before input is lost. */
export const SettingsFooter = ({ form, submit, conflict, readTexts, writesTo, canChange = true }: Props) => (
  <>
    <EditConflict fields={conflict.fields} otherChanges={conflict.otherChanges} />
    <FormAlert>{submit.alert}</FormAlert>
    {canChange ? (
      <Group>
        <WriteGuard endpoint={writesTo}>
          <Button type="submit" loading={submit.isBusy}>
            Save
          </Button>
        </WriteGuard>
      </Group>
    ) : null}
    <UnsavedText
      hasText={form.isDirty()}
      readTexts={readTexts}
      discard={form.reset}
      isSaving={submit.isBusy}
    />
  </>
)
