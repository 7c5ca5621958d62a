import type { ReactNode } from 'react'

/** A name and a value, in a `dl`. */
export const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)
