/** Longer words, and what is no word, such as an ID, may be broken. */
const MAX_LETTERS = 16

/** Runs in the page: the words of a text that continue on the next line, without code and what the user edits. */
export const FIND_BROKEN_WORDS = `(() => {
  const WORD = /(?<![^\\s(“])\\p{L}{2,${MAX_LETTERS}}(?![^\\s)”.,:;!?…])/gu
  const isBroken = (node, { 0: word, index }) => {
    const range = document.createRange()
    range.setStart(node, index)
    range.setEnd(node, index + word.length)
    const boxes = [...range.getClientRects()].filter(({ width }) => width > 0)
    return new Set(boxes.map(({ top }) => Math.round(top))).size > 1
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const nodes = []
  while (walker.nextNode()) nodes.push(walker.currentNode)
  return nodes
    .filter(({ parentElement: parent }) =>
      // What only a screen reader reads is a sixteenth of a letter wide.
      parent.offsetWidth > 2 && parent.checkVisibility({ visibilityProperty: true }) && !parent.closest('code, pre, textarea, svg'))
    .flatMap((node) => [...node.data.matchAll(WORD)].filter((word) => isBroken(node, word)).map(([word]) => word))
})()`
