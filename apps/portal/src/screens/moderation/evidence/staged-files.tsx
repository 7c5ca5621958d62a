import { ActionIcon, Group, Input, Text } from '@mantine/core'
import { MAX_EVIDENCE_FILES } from '@reeve/core'
import { IconX } from '@tabler/icons-react'
import { formatBytes } from '../../../format/number.ts'
import { recordFields } from '../record-fields.tsx'
import classes from './evidence.module.css'
import { FileDrop } from './file-drop.tsx'
import { checkFile } from './uploads.ts'

interface Props {
  readonly files: readonly File[]
  readonly onChange: (files: readonly File[]) => void
}

/** Files that are sent with the case. */
export function StagedFiles({ files, onChange }: Props) {
  return (
    <Input.Wrapper label={recordFields.evidenceFiles.label} labelElement="div">
      {files.length > 0 ? (
        <ul className={classes.files} aria-label="Chosen files">
          {files.map((file, index) => (
            <li key={`${index} ${file.name}`} className={classes.file}>
              <Group justify="space-between" gap="xs" wrap="nowrap">
                <Text size="sm" className={classes.name}>
                  <bdi>{file.name}</bdi> <span className={classes.size}>{formatBytes(file.size)}</span>
                </Text>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Remove ${file.name}`}
                  onClick={() => onChange(files.filter((_, other) => other !== index))}
                >
                  <IconX size={16} aria-hidden />
                </ActionIcon>
              </Group>
              {checkFile(file) === null ? null : (
                <Text size="sm" c="red" role="alert">
                  {checkFile(file)}
                </Text>
              )}
            </li>
          ))}
        </ul>
      ) : null}
      {files.length < MAX_EVIDENCE_FILES ? (
        <FileDrop
          label="Choose files"
          onFiles={(added) => onChange([...files, ...added].slice(0, MAX_EVIDENCE_FILES))}
        />
      ) : null}
    </Input.Wrapper>
  )
}
