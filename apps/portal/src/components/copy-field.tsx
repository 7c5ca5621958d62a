import { ActionIcon, CopyButton, TextInput } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import classes from './copy-field.module.css'

interface Props {
  readonly label: string
  readonly value: string
  readonly description?: string
}

/** A read-only text with a copy button. */
export const CopyField = ({ label, value, description }: Props) => (
  <TextInput
    label={label}
    description={description}
    value={value}
    readOnly
    classNames={{ input: classes.value ?? '' }}
    onFocus={(event) => event.currentTarget.select()}
    rightSection={<CopyTextButton value={value} label={label} />}
  />
)

/** A copy button. @param label names what is copied */
export const CopyTextButton = ({ value, label }: { readonly value: string; readonly label: string }) => (
  <CopyButton value={value}>
    {({ copied, copy }) => (
      <ActionIcon
        variant="subtle"
        color={copied ? 'green' : 'gray'}
        onClick={copy}
        title={copied ? 'Copied' : 'Copy'}
        aria-label={copied ? `Copied: ${label}` : `Copy: ${label}`}
      >
        {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
      </ActionIcon>
    )}
  </CopyButton>
)
