/** The result of `tools/call`, as the protocol words it. */
export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

/** A block with `text` is a text; the others are images, audio and resources, as the action returned them. */
export interface ContentBlock {
  readonly type: 'text' | 'image' | 'audio' | 'resource' | 'resource_link';
  readonly text?: string;
  readonly [member: string]: unknown;
}

/** A failed call: the text tells the model what to change. */
export function errorResult(text: string): ToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}
