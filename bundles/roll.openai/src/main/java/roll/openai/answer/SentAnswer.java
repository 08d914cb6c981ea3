package roll.openai.answer;

import com.google.gson.JsonObject;
import java.util.ArrayList;
import java.util.List;
import roll.api.model.Tokenizer;
import roll.api.strategy.Generation;

/**
 * What a client is sent of a response.
 *
 * @param message the assistant's message, as OpenAI has it
 * @param cut whether a stop string ended it, which the response has and the message has not
 */
public record SentAnswer(JsonObject message, boolean cut) {
  /**
   * What is sent of {@code response}, whole or as a stream.
   *
   * @param tokenizer of the model
   * @param prompt that it answers
   * @param stops texts that are cut off
   * @param toolCalls whether calls are looked for
   */
  public static SentAnswer of(
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
    return new SentAnswer(ChatResponseFormat.message(pieces), choice.cut());
  }
}
