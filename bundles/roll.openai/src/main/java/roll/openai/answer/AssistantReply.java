package roll.openai.answer;

import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import roll.api.model.Tokenizer;
import roll.api.strategy.Generation;
import roll.openai.request.ChatMessages;
import roll.openai.request.JsonParts;

/**
 * The message that a client receives for a response.
 *
 * @param message the assistant's message in the form of chat templates, its thought in tags
 * @param cut whether a stop string ended it; the response contains that string, the message does
 *     not
 */
public record AssistantReply(Map<String, Object> message, boolean cut) {
  /**
   * Returns the message for {@code response}, the same for a stream.
   *
   * @param tokenizer the model's tokenizer
   * @param prompt the prompt that it answers
   * @param prefix its beginning in the prompt; empty for none
   * @param stops stop strings
   * @param toolCalls whether tool calls are parsed
   */
  public static AssistantReply of(
      Tokenizer tokenizer,
      int[] prompt,
      String prefix,
      Generation response,
      List<String> stops,
      boolean toolCalls) {
    ChoiceBuilder choice =
        new ChoiceBuilder(tokenizer, prompt, prefix, stops, false, toolCalls, false);
    List<Delta> pieces = new ArrayList<>();
    for (int token : response.tokens()) {
      pieces.addAll(choice.add(token));
    }
    pieces.addAll(choice.rest());
    return new AssistantReply(message(pieces), choice.cut());
  }

  private static Map<String, Object> message(List<Delta> pieces) {
    StringBuilder text = new StringBuilder();
    List<Map<String, Object>> calls = new ArrayList<>();
    for (Delta piece : pieces) {
      switch (piece) {
        case Delta.Text said -> text.append(said.text());
        case Delta.Thought thought -> text.append(thought.text());
        case Delta.Call call -> calls.add(call("", call));
      }
    }
    return ChatMessages.assistant(text.toString(), calls);
  }

  /** Returns {@code call} in the form of chat templates. */
  public static Map<String, Object> call(String id, Delta.Call call) {
    return ChatMessages.call(
        id, call.name(), JsonParts.arguments("arguments", new JsonPrimitive(call.arguments())));
  }
}
