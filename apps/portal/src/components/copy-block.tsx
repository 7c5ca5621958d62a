import { Code, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './copy-block.module.css'
import { CopyTextButton } from './copy-button.tsx'

interface Props {
  readonly label: string
  readonly value: string
  /** What to do with it. */
  readonly children?: ReactNode
}

/** A text to copy. It wraps instead of being cut off. */
export const CopyBlock = ({ label, value, children }: Props) => (
  <div>
    <Text size="sm" fw={600} mb={4}>
      {label}
    </Text>
    <div className={classes.block}>
      <Code block tabIndex={0} role="group" aria-label={label} className={classes.code ?? ''}>
        {value}
      </Code>
      <CopyTextButton value={value} label={label} />
    </div>
    {children === undefined ? null : (
      <Text size="xs" c="dimmed" mt={4} component="div">
        {children}
      </Text>
    )}
  </div>
)
