/** Begins a text for the terminal itself: a title, a link, an image (OSC, DCS, SOS, PM, APC). */
const BEGINS = /\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f]/g;

/** Ends it: bell, or the string terminator. */
const ENDS = /[\u0007\u009c]|\u001b\\/g;

/** Text without what was said to the terminal, which no person would see. One that never ends is kept. */
export function withoutControlStrings(text: string): string {
  let visible = '';
  let end = 0;
  BEGINS.lastIndex = 0;
  for (let begin = BEGINS.exec(text); begin; begin = BEGINS.exec(text)) {
    ENDS.lastIndex = BEGINS.lastIndex;
    if (!ENDS.test(text)) break;
    visible += text.slice(end, begin.index);
    end = ENDS.lastIndex;
    BEGINS.lastIndex = end;
  }
  return visible + text.slice(end).replaceAll(BEGINS, '');
}
