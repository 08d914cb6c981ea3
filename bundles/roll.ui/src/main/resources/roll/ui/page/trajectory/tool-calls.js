// The tool calls of a turn with their results, where the response has calls as Hermes models and
// others write them: JSON in the tags <tool_call>.

const CALL = /<tool_call>([\s\S]*?)<\/tool_call>/g;

/**
 * The calls of `turn`: `{ name, given, result }`, one for each result. `given` is the text of the
 * arguments, null where the response does not have as many calls as there are results.
 */
export function toolCalls(turn) {
  const written = [...(turn.response ?? '').matchAll(CALL)].map(([, text]) => parsed(text));
  const paired = written.length === turn.tools.length;
  return turn.tools.map(({ name, content }, place) => ({
    name: name ?? (paired ? written[place].name : null),
    given: paired ? written[place].given : null,
    result: content,
  }));
}

function parsed(text) {
  try {
    const call = JSON.parse(text);
    const given = call.arguments ?? call.parameters;
    if (given !== undefined) {
      return { name: String(call.name), given: typeof given === 'string' ? given : JSON.stringify(given, null, 2) };
    }
  } catch {
    // not JSON: the call could not be made, and its text says why
  }
  return { name: null, given: text.trim() };
}
