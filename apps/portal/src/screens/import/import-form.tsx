import {
  Button,
  Checkbox,
  FileInput,
  Group,
  NativeSelect,
  Progress,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { IconFileSearch } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { getErrorMessage } from '../../api/error.ts'
import { useWorkspace } from '../../api/me.ts'
import { Card } from '../../components/card.tsx'
import { WriteGuard } from '../../components/endpoint-state.tsx'
import { UnsavedText } from '../../components/unsaved-text.tsx'
import { FormAlert } from '../../forms/form-alert.tsx'
import { ColumnChooser } from './column-chooser.tsx'
import { guessColumns, readHeaders } from './csv-columns.ts'
import { checkFile, formats, type ImportChoices, useRefreshImports } from './import-data.ts'

const conflicts = [
  { value: 'skip', label: 'Keep the current one, and leave the imported one out' },
  { value: 'merge', label: 'Keep the current one until the later end, and import the other as history' },
  { value: 'supersede', label: 'Replace the current one' },
]

const INITIAL: ImportChoices = {
  format: 'litebans',
  conflicts: 'skip',
  source: '',
  keepIp: false,
  columns: {},
}

/**
 * Chooses a file, and checks it: a dry run, whose result says what an import would do. The input stays, to be checked again with other
 * choices. While an import runs, the form is shown only if it has input that was not sent.
 * @param isBusy whether an import has not ended
 */
export function ImportForm({ isBusy }: { readonly isBusy: boolean }) {
  const { id } = useWorkspace()
  const refresh = useRefreshImports(id)
  const [choices, setChoices] = useState(INITIAL)
  const [file, setFile] = useState<File | null>(null)
  const [headers, setHeaders] = useState<readonly string[]>([])
  const [sent, setSent] = useState<number | null>(null)
  const [checked, setChecked] = useState<{ readonly file: File; readonly choices: ImportChoices } | null>(
    null,
  )
  const [alert, setAlert] = useState('')
  const change = (changed: Partial<ImportChoices>) => setChoices({ ...choices, ...changed })
  const isCsv = choices.format === 'csv'
  const isSending = sent !== null
  const isChecked = checked?.file === file && checked?.choices === choices
  const isUnsent = !isChecked && (file !== null || choices.source.trim() !== '')

  const reset = () => {
    setChoices(INITIAL)
    setFile(null)
    setHeaders([])
    setAlert('')
  }
  const chooseFile = async (chosen: File | null) => {
    setFile(chosen)
    setAlert('')
    const found = chosen === null ? [] : await readHeaders(chosen)
    setHeaders(found)
    setChoices((current) => ({ ...current, columns: guessColumns(found) }))
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isSending || isBusy) return
    if (file === null) return setAlert('Choose a file first.')
    if (isCsv && (!choices.columns.userId || !choices.columns.occurredAt))
      return setAlert('Choose the columns with the player ID and the time.')
    setAlert('')
    setSent(0)
    try {
      await checkFile(id, file, choices, setSent)
      setChecked({ file, choices })
    } catch (error) {
      setAlert(getErrorMessage(error))
    } finally {
      setSent(null)
      await refresh()
    }
  }
  const selected = formats.find(({ value }) => value === choices.format)
  // An own import that is being sent is shown by its card.
  const isHidden = isBusy && (isSending || !isUnsent)
  return (
    <>
      {isHidden ? null : (
        <Card title="New import">
          <form onSubmit={(event) => void submit(event)} noValidate>
            <Stack gap="md">
              <NativeSelect
                label="Format"
                data={formats.map(({ value, label }) => ({ value, label }))}
                value={choices.format}
                onChange={({ currentTarget: { value } }) => change({ format: value })}
              />
              <FileInput
                label="File"
                description={selected?.file ?? ''}
                placeholder="Choose a file"
                value={file}
                onChange={(chosen) => void chooseFile(chosen)}
                clearable
                clearButtonProps={{ 'aria-label': 'Remove the file' }}
              />
              {isCsv && headers.length > 0 ? (
                <ColumnChooser
                  headers={headers}
                  columns={choices.columns}
                  onChange={(columns) => change({ columns })}
                />
              ) : null}
              <NativeSelect
                label="If a player has an active ban or mute already"
                data={conflicts}
                value={choices.conflicts}
                onChange={({ currentTarget: { value } }) => change({ conflicts: value })}
              />
              <TextInput
                label="Source"
                description="Names where the entries come from, for example if you import from several servers. By default the format."
                value={choices.source}
                onChange={({ currentTarget: { value } }) => change({ source: value })}
              />
              <Checkbox
                label="Keep IP addresses as evidence"
                description="They are personal data, and dropped otherwise."
                checked={choices.keepIp}
                onChange={({ currentTarget: { checked } }) => change({ keepIp: checked })}
              />
              <FormAlert>{alert}</FormAlert>
              {isSending ? (
                <div>
                  <Progress.Root>
                    <Progress.Section value={sent * 100} aria-label="Sending the file" />
                  </Progress.Root>
                  <Text size="sm" c="dimmed" mt={4}>
                    Sending the file · {Math.floor(sent * 100)}%
                  </Text>
                </div>
              ) : null}
              <Group>
                <WriteGuard
                  endpoint="moderation"
                  busyReason={isBusy ? 'An import has not ended: wait for it, or cancel it.' : null}
                >
                  <Button
                    type="submit"
                    loading={isSending}
                    leftSection={<IconFileSearch size={16} aria-hidden />}
                  >
                    Check the file
                  </Button>
                </WriteGuard>
              </Group>
            </Stack>
          </form>
        </Card>
      )}
      <UnsavedText hasText={isUnsent} discard={reset} isSaving={isSending} />
    </>
  )
}
