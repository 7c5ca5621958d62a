import { Kbd } from '@mantine/core'
import { Fragment } from 'react'

/** Keys as printed on a keyboard: pressed together, or `↓ ↑` one of them. */
export const KeyLabel = ({ keys }: { readonly keys: readonly string[] }) => (
  <>
    {keys.map((key, index) => (
      <Fragment key={key}>
        {index === 0 ? null : ' '}
        <Kbd size="xs">{key}</Kbd>
      </Fragment>
    ))}
  </>
)
