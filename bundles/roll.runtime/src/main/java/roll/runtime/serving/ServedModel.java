package roll.runtime.serving;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.config.WorkerConfig;
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
 * @param chatTemplateKwargs what its template sees beside the messages, where a request says
 *     nothing else
 */
public record ServedModel(
    String name,
    Tokenizer tokenizer,
    Generator generator,
    @Nullable ChatTemplate template,
    List<Integer> stops,
    int longest,
    boolean toolCalls,
    PictureSettings pictures,
    Map<String, Object> chatTemplateKwargs) {
  /** Copies the stop tokens. */
  public ServedModel {
    stops = List.copyOf(stops);
  }

  /** A model whose template sees {@link WorkerConfig#CHAT_TEMPLATE_KWARGS}. */
  public ServedModel(
      String name,
      Tokenizer tokenizer,
      Generator generator,
      @Nullable ChatTemplate template,
      List<Integer> stops,
      int longest,
      boolean toolCalls,
      PictureSettings pictures) {
    this(
        name,
        tokenizer,
        generator,
        template,
        stops,
        longest,
        toolCalls,
        pictures,
        WorkerConfig.CHAT_TEMPLATE_KWARGS);
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
    this(name, tokenizer, generator, template, stops, longest, toolCalls, PictureSettings.NONE);
  }
}
