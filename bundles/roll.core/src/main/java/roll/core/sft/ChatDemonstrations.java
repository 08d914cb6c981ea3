package roll.core.sft;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.dataset.Row;
import roll.api.model.ChatTemplate;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;
import roll.text.chat.RowMessages;

/**
 * Conversations as the model reads them, in which it learns exactly what assistants say: the end of
 * their turn too, nothing of the frame around it. Each piece is tokenized by itself, as it is when
 * the model writes it.
 */
final class ChatDemonstrations {
  private static final String WEIGHT = "weight";
  private static final String CALLS = "tool_calls";

  private final ChatTemplate template;
  private final Map<String, ?> variables;
  private final Tokenizer tokenizer;

  /**
   * Rendered by {@code template}, whose texts have every special token already.
   *
   * @param variables that it sees beside the messages
   */
  ChatDemonstrations(ChatTemplate template, Map<String, ?> variables, Tokenizer tokenizer) {
    this.template = template;
    this.variables = variables;
    this.tokenizer = tokenizer;
  }

  /**
   * Converts the conversation {@code messages} of {@code row} to one demonstration, or to several
   * if the template renders earlier turns differently in a longer conversation, as Qwen3's omits
   * earlier thoughts. Then each turn has the context the model would see in that turn.
   *
   * @param first first message to learn; messages with {@code weight} 0 are not learned
   * @param tools tools for the template, or null
   * @throws UserException if there is nothing to learn, or the assistant's text cannot be separated
   */
  List<Demonstration> of(
      Row row, List<Map<String, @Nullable Object>> messages, int first, @Nullable Object tools) {
    List<String> pictures = RowMessages.pictures(row.fields());
    if (!pictures.isEmpty()) {
      throw new UserException(
          "%s: '%s': conversations with pictures are not learned from; episodes of rollouts are"
              .formatted(row.where(), pictures.getFirst()));
    }
    if (messages.stream().noneMatch(ChatDemonstrations::said)) {
      throw new UserException(row.where() + ": no message of an assistant");
    }
    if (said(messages.getFirst())) {
      throw new UserException(row.where() + ": the first message is an assistant's");
    }
    List<Map<String, @Nullable Object>> shown = messages.stream().map(this::unweighted).toList();
    List<Demonstration> all = new ArrayList<>();
    Pieces pieces = new Pieces(row);
    for (int i = 0; i < messages.size(); i++) {
      if (!said(messages.get(i))) {
        continue;
      }
      String frame = render(row, shown.subList(0, i), tools, true);
      String whole = render(row, shown.subList(0, i + 1), tools, false);
      checkBegun(row, shown.subList(0, i + 1), tools, frame, whole);
      checkCalls(row, shown.subList(0, i + 1), tools, whole);
      if (!frame.startsWith(pieces.rendered)) {
        pieces.addTo(all);
        pieces = new Pieces(row);
      }
      pieces.add(frame, whole, i >= first && isLearned(row, messages.get(i)));
    }
    pieces.addTo(all);
    return all;
  }

  /**
   * Returns the whole conversation {@code messages} of {@code row}, as the reward {@code model}
   * reads it; all its tokens count as learned.
   *
   * @param tools tools for the template, or null
   */
  Demonstration whole(
      Row row, List<Map<String, @Nullable Object>> messages, @Nullable Object tools) {
    String text = render(row, messages.stream().map(this::unweighted).toList(), tools, false);
    int[] tokens = encoded(row, text);
    boolean[] all = new boolean[tokens.length];
    Arrays.fill(all, true);
    return new Demonstration(row.where(), tokens, all);
  }

  private int[] encoded(Row row, String text) {
    String refusal = tokenizer.refusal(text);
    if (refusal != null) {
      throw new UserException(row.where() + ": the tokenizer refuses " + refusal);
    }
    return tokenizer.encode(text);
  }

  private static boolean said(Map<String, ?> message) {
    return "assistant".equals(message.get("role"));
  }

  private Map<String, @Nullable Object> unweighted(Map<String, @Nullable Object> message) {
    Map<String, @Nullable Object> shown = new LinkedHashMap<>(message);
    shown.remove(WEIGHT);
    return shown;
  }

  /**
   * Whether a message is learned: as in OpenAI's fine-tuning format, a message of weight 0 is only
   * context.
   */
  private static boolean isLearned(Row row, Map<String, ?> message) {
    Object weight = message.get(WEIGHT);
    if (weight == null) {
      return true;
    }
    if (weight instanceof Number number
        && (number.doubleValue() == 0 || number.doubleValue() == 1)) {
      return number.doubleValue() == 1;
    }
    throw new UserException(
        "%s: the weight of a message: expected 0 or 1, found %s".formatted(row.where(), weight));
  }

  private void checkBegun(
      Row row,
      List<Map<String, @Nullable Object>> messages,
      @Nullable Object tools,
      String frame,
      String whole) {
    if (whole.startsWith(frame)) {
      return;
    }
    Map<String, @Nullable Object> thinking = new HashMap<>(variables);
    thinking.put("enable_thinking", true);
    List<Map<String, @Nullable Object>> before = messages.subList(0, messages.size() - 1);
    boolean thinks =
        render(row, messages, tools, false, thinking)
            .startsWith(render(row, before, tools, true, thinking));
    throw new UserException(
        "%s: the chat template renders the assistant's text in messages[%d] differently from its generation prompt, so that the text cannot be separated from the rest%s"
            .formatted(
                row.where(),
                messages.size() - 1,
                thinks
                    ? "; it thinks, which actor_train.data_args.chat_template_kwargs:"
                        + " {enable_thinking: true} allows"
                    : ""));
  }

  /** A template that shows nothing of a call would have the model learn an empty answer. */
  private void checkCalls(
      Row row, List<Map<String, @Nullable Object>> messages, @Nullable Object tools, String whole) {
    if (!messages.getLast().containsKey(CALLS)) {
      return;
    }
    List<Map<String, @Nullable Object>> without = new ArrayList<>(messages);
    Map<String, @Nullable Object> last = new LinkedHashMap<>(messages.getLast());
    last.remove(CALLS);
    without.set(without.size() - 1, last);
    if (whole.equals(render(row, without, tools, false))) {
      throw new UserException(
          "%s: the chat template shows nothing of the calls in messages[%d]"
              .formatted(row.where(), messages.size() - 1));
    }
  }

  private String render(
      Row row,
      List<Map<String, @Nullable Object>> messages,
      @Nullable Object tools,
      boolean generation) {
    return render(row, messages, tools, generation, variables);
  }

  private String render(
      Row row,
      List<Map<String, @Nullable Object>> messages,
      @Nullable Object tools,
      boolean generation,
      Map<String, ?> seen) {
    Map<String, @Nullable Object> context = new HashMap<>(seen);
    context.put("tools", tools);
    context.put("documents", null);
    context.put("add_generation_prompt", generation);
    context.put("messages", messages);
    return template.render(row.where(), context);
  }

  /** A conversation that grows turn by turn. */
  private final class Pieces {
    private final Row row;
    private final List<int[]> tokens = new ArrayList<>();
    private final List<Boolean> trained = new ArrayList<>();
    private String rendered = "";
    private int tokenised;

    private Pieces(Row row) {
      this.row = row;
    }

    /** Adds the text before an assistant's message, then the message up to the end of its turn. */
    private void add(String frame, String whole, boolean learned) {
      add(frame.substring(tokenised), false);
      add(whole.substring(frame.length(), end(whole, frame.length())), learned);
      rendered = whole;
    }

    /** The end of the turn that began at {@code from}: after its stop token, if it has one. */
    private int end(String text, int from) {
      for (int stop : tokenizer.stopTokens()) {
        String shown = tokenizer.decode(new int[] {stop}, true);
        int at = text.lastIndexOf(shown);
        if (!shown.isEmpty() && at >= from && text.substring(at + shown.length()).isBlank()) {
          return at + shown.length();
        }
      }
      return text.length();
    }

    private void add(String text, boolean learned) {
      tokenised += text.length();
      tokens.add(encoded(row, text));
      trained.add(learned);
    }

    private void addTo(List<Demonstration> all) {
      if (trained.contains(true)) {
        all.add(demonstration());
      }
    }

    private Demonstration demonstration() {
      int[] all = tokens.stream().flatMapToInt(Arrays::stream).toArray();
      boolean[] mask = new boolean[all.length];
      int at = 0;
      for (int i = 0; i < tokens.size(); i++) {
        Arrays.fill(mask, at, at + tokens.get(i).length, trained.get(i));
        at += tokens.get(i).length;
      }
      return new Demonstration(row.where(), all, mask);
    }
  }
}
