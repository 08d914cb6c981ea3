// The tool calls of a turn with their results, where the response has calls as Hermes models and
// others write them: JSON in the tags <tool_call>.

const [OPEN, CLOSE] = ['<tool_call>', '</tool_call>'];

/**
 * The calls of `turn`: `{ name, given, result }`, one for each result. `given` is the text of the
 * arguments, null where the response does not have as many calls as there are results.
 */
export function toolCalls(turn) {
  const written = blocks(turn.response ?? '').map(parsed);
  const paired = written.length === turn.tools.length;
  return turn.tools.map(({ name, content }, place) => ({
    name: name ?? (paired ? written[place].name : null),
    given: paired ? written[place].given : null,
    result: content,
  }));
}

/** What stands between the tags; the last one may not be closed. */
function blocks(response) {
  const found = [];
  for (let at = response.indexOf(OPEN); at >= 0; at = response.indexOf(OPEN, at)) {
    const end = response.indexOf(CLOSE, at);
    if (end < 0) {
      break;
    }
    found.push(response.slice(at + OPEN.length, end));
    at = end;
  }
  return found;
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
