package roll.runtime.serving;

import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.model.ChatTemplate;
import roll.api.model.Tokenizer;
import roll.api.strategy.Generator;

/**
 * A model to be served.
 *
 * @param name used in requests
 * @param tokenizer of the model
 * @param generator generates its responses
 * @param template turns conversations into prompts; null if the model only completes text
 * @param stops tokens that end an answer in a conversation
 * @param longest most tokens of prompt and response
 * @param toolCalls whether calls in the Hermes format, JSON between {@code <tool_call>} and {@code
 *     </tool_call>}, are returned as tool calls; else as text
 * @param pictures that it sees
 */
public record ServedModel(
    String name,
    Tokenizer tokenizer,
    Generator generator,
    @Nullable ChatTemplate template,
    List<Integer> stops,
    int longest,
    boolean toolCalls,
    ServedPictures pictures) {
  /** Copies the stop tokens. */
  public ServedModel {
    stops = List.copyOf(stops);
  }

  /** A model that does not see. */
  public ServedModel(
      String name,
      Tokenizer tokenizer,
      Generator generator,
      @Nullable ChatTemplate template,
      List<Integer> stops,
      int longest,
      boolean toolCalls) {
    this(name, tokenizer, generator, template, stops, longest, toolCalls, ServedPictures.NONE);
  }
}
