import type { ToolMarks } from '@mcpify/markers';

import type { ToolAnnotations } from '../schema/tool-annotations.js';

/**
 * All four hints, always written out (B2.3): protocol defaults differ from what authors expect.
 * A command that says nothing counts as destructive, the protocol's cautious default.
 */
export function toAnnotations(marks: ToolMarks): ToolAnnotations {
  const { title } = marks;
  const hints = {
    readOnlyHint: marks.readOnly === true,
    destructiveHint: !marks.readOnly && !marks.additive,
    idempotentHint: marks.idempotent === true,
    openWorldHint: marks.openWorld === true,
  };
  return title === undefined ? hints : { title, ...hints };
}
