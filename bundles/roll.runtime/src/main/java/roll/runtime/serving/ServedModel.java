package roll.runtime.serving;

import java.util.List;
import org.jspecify.annotations.Nullable;
import roll.api.model.ChatTemplate;
import roll.api.model.Tokenizer;
import roll.api.strategy.Generator;

/**
 * A model to be served.
 *
 * @param name that requests call it by
 * @param tokenizer of the model
 * @param generator writes its responses
 * @param template makes conversations prompts; null where the model only continues texts
 * @param stops tokens that end an answer in a conversation
 * @param longest most tokens of prompt and response
 * @param toolCalls whether calls that the model writes as Hermes does, JSON between {@code
 *     <tool_call>} and {@code </tool_call>}, are told as calls; else they are text
 */
public record ServedModel(
    String name,
    Tokenizer tokenizer,
    Generator generator,
    @Nullable ChatTemplate template,
    List<Integer> stops,
    int longest,
    boolean toolCalls) {
  /** A model whose stop tokens nobody changes. */
  public ServedModel {
    stops = List.copyOf(stops);
  }
}
