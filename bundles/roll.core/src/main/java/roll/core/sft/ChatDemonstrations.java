package roll.core.sft;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.dataset.Row;
import roll.api.model.ChatTemplate;
import roll.api.model.Tokenizer;
import roll.api.option.UserException;

/**
 * Conversations as the model reads them, in which it learns exactly what assistants say: the end of
 * their turn too, nothing of the frame around it. Each piece is tokenized by itself, as it is when
 * the model writes it.
 */
final class ChatDemonstrations {
  private final ChatTemplate template;
  private final Tokenizer tokenizer;

  /** Rendered by {@code template}, whose texts have every special token already. */
  ChatDemonstrations(ChatTemplate template, Tokenizer tokenizer) {
    this.template = template;
    this.tokenizer = tokenizer;
  }

  /**
   * The conversation {@code messages} of {@code row}.
   *
   * @param tools that the template is told of, or null
   * @throws UserException if it is none, has nothing to learn, or its beginning is rendered
   *     otherwise than in the whole
   */
  Demonstration of(Row row, List<?> messages, @Nullable Object tools) {
    if (row.fields().get("images") instanceof List<?> images && !images.isEmpty()) {
      throw new UserException(
          row.where()
              + ": 'images': conversations with pictures are not learned from; episodes of rollouts"
              + " are");
    }
    List<Map<?, ?>> conversation = new ArrayList<>();
    for (Object message : messages) {
      if (!(message instanceof Map<?, ?> map) || !(map.get("role") instanceof String)) {
        throw new UserException(row.where() + ": a chat message is a mapping with a 'role'");
      }
      conversation.add(map);
    }
    Pieces pieces = new Pieces(row);
    for (int i = 0; i < conversation.size(); i++) {
      if ("assistant".equals(conversation.get(i).get("role"))) {
        pieces.frame(render(row, conversation.subList(0, i), tools, true));
        pieces.said(render(row, conversation.subList(0, i + 1), tools, false));
      }
    }
    if (pieces.rendered.isEmpty()) {
      throw new UserException(row.where() + ": no message of an assistant");
    }
    pieces.rest(render(row, conversation, tools, false));
    return pieces.demonstration();
  }

  private String render(
      Row row, List<Map<?, ?>> messages, @Nullable Object tools, boolean generation) {
    Map<String, @Nullable Object> context = new HashMap<>();
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

    /** What precedes an assistant's words. */
    private void frame(String text) {
      rest(text);
      add(text.substring(tokenised), false);
    }

    /** An assistant's words up to the end of its turn; what the template adds is frame. */
    private void said(String text) {
      String before = rendered;
      rest(text);
      add(text.substring(before.length(), end(text, before.length())), true);
    }

    /** Goes on with {@code text}, which must begin with all there was. */
    private void rest(String text) {
      if (!text.startsWith(rendered)) {
        throw new UserException(
            row.where()
                + ": the chat template renders the beginning of this conversation otherwise than"
                + " in the whole, so that what assistants say cannot be told from the rest");
      }
      rendered = text;
    }

    /** Where the turn ends that began at {@code from}: after its stop token, if it has one. */
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
      tokens.add(tokenizer.encode(text));
      trained.add(learned);
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
