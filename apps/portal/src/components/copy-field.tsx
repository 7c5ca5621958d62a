import { TextInput } from '@mantine/core'
import { CopyTextButton } from './copy-button.tsx'
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
