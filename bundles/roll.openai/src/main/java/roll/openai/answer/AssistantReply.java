package roll.openai.answer;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import roll.api.model.Tokenizer;
import roll.api.strategy.Generation;

/**
 * The message that a client receives for a response.
 *
 * @param message the assistant's message in OpenAI's format
 * @param cut whether a stop string ended it; the response contains that string, the message does
 *     not
 */
public record AssistantReply(JsonObject message, boolean cut) {
  /**
   * Returns the message for {@code response}, the same for a stream.
   *
   * @param tokenizer the model's tokenizer
   * @param prompt the prompt that it answers
   * @param stops stop strings
   * @param toolCalls whether tool calls are parsed
   */
  public static AssistantReply of(
      Tokenizer tokenizer,
      int[] prompt,
      Generation response,
      List<String> stops,
      boolean toolCalls) {
    ChoiceBuilder choice = new ChoiceBuilder(tokenizer, prompt, stops, toolCalls, false);
    List<Delta> pieces = new ArrayList<>();
    for (int token : response.tokens()) {
      pieces.addAll(choice.add(token));
    }
    pieces.addAll(choice.rest());
    return new AssistantReply(ChatResponseFormat.message(pieces), choice.cut());
  }
}
