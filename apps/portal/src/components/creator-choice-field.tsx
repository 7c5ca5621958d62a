import { Checkbox, Input, Text } from '@mantine/core'
import { Fragment, type ReactNode } from 'react'
import { pluralize } from '../format/number.ts'
import classes from './creator-choice.module.css'
import type { CreatorChoice } from './creator-choice.ts'
import { ErrorState, LoadingRows } from './empty-error-loading.tsx'

/** What the list shows of everything that people leave behind. */
interface ListedCreation {
  readonly id: string
  readonly name: string
  readonly groupName: string
  /** Who created it, if it is listed with what others created. */
  readonly creator?: string
}

interface Props<Item extends ListedCreation> {
  readonly choice: CreatorChoice<Item>
  /** What is listed: `API key`. */
  readonly noun: string
  /** What happens to what is chosen: `Revoke`. */
  readonly verb: string
  readonly description: ReactNode
  /** What becomes of those that are not listed because there are too many, and how to end them, after "are not listed, and". */
  readonly moreNote: string
  /** Shows the workspace of each. */
  readonly showsWorkspace: boolean
  /** What follows the name. */
  readonly renderSuffix?: (item: Item) => string
  /** What else helps to recognize one. */
  readonly renderDetails: (item: Item) => ReactNode
}

/** What a person leaves behind, each to be ended unless the user keeps it. Nothing if there is none. */
export function CreatorChoiceField<Item extends ListedCreation>({
  choice: { result, skippedIds, setSkipped },
  noun,
  verb,
  description,
  moreNote,
  showsWorkspace,
  renderSuffix,
  renderDetails,
}: Props<Item>) {
  if (result.isError && !result.data)
    return <ErrorState error={result.error} retry={() => void result.refetch()} />
  if (!result.data) return <LoadingRows rows={1} height={44} />
  const { items, more } = result.data
  if (items.length === 0) return null
  const label = `${pluralize(items.length, noun)} to ${verb.toLowerCase()}`
  return (
    <Input.Wrapper label={label} labelElement="div" description={description}>
      <fieldset aria-label={label} className={classes.list}>
        {items.map((item) => {
          const { id, name, groupName, creator } = item
          return (
            <Checkbox
              key={id}
              checked={!skippedIds.includes(id)}
              onChange={(event) => setSkipped(id, !event.currentTarget.checked)}
              label={
                <>
                  {verb} <bdi>{name}</bdi>
                  {renderSuffix?.(item)}
                </>
              }
              description={
                <Text component="span" inherit>
                  {[creator, showsWorkspace ? groupName : undefined].map((text) =>
                    text === undefined ? null : (
                      <Fragment key={text}>
                        <bdi>{text}</bdi> ·{' '}
                      </Fragment>
                    ),
                  )}
                  {renderDetails(item)}
                </Text>
              }
            />
          )
        })}
      </fieldset>
      {more > 0 && (
        <Text size="sm" mt="xs">
          {pluralize(more, `more ${noun}`)} {more === 1 ? 'is' : 'are'} not listed, and {moreNote}
        </Text>
      )}
    </Input.Wrapper>
  )
}
