import { Container } from '@mantine/core'
import type { ComponentProps, ReactNode } from 'react'
import { PageHeader } from './page-header.tsx'

interface Props extends Omit<ComponentProps<typeof PageHeader>, 'children'> {
  /** Replaces the title in the heading. */
  readonly heading?: ReactNode
  /** For a calendar or a wide table. */
  readonly isWide?: boolean
  readonly children: ReactNode
}

/** A screen: its header and content, limited to a readable width. */
export const Screen = ({ heading, isWide = false, children, ...headerProps }: Props) => (
  <Container size={isWide ? 1440 : 960} px={{ base: 'md', md: 'xl' }} py="lg">
    <PageHeader {...headerProps}>{heading}</PageHeader>
    {children}
  </Container>
)
