package roll.rollout.chat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.data.Message;
import roll.api.model.ChatTemplate;
import roll.api.option.UserException;

/**
 * Renders the chat template of a model folder. The text after a response is taken from a fixed stub
 * conversation: a user message, a mark in place of the response, then the new messages. It does not
 * depend on earlier messages, so a template that rewrites earlier turns (Qwen3 strips their
 * thinking) never changes sampled tokens.
 *
 * @param template template of the model folder
 * @param variables additional variables of the template
 */
record TemplateRenderer(ChatTemplate template, Map<String, ?> variables) implements ChatRenderer {
  private static final Message ASKED = new Message("user", "?");

  /** A character for private use, which neither templates nor messages contain. */
  private static final String MARK = "\uE000";

  /** Returns a renderer with {@code more} variables, which override its own. */
  TemplateRenderer with(Map<String, ?> more) {
    Map<String, Object> all = new HashMap<>(variables);
    all.putAll(more);
    return new TemplateRenderer(template, all);
  }

  @Override
  public String opening(List<Message> messages) {
    return render(messages, List.of(), true);
  }

  @Override
  public String whole(List<Message> messages) {
    return render(messages, List.of(), false);
  }

  @Override
  public String opening(List<Message> messages, List<?> tools) {
    String text = render(messages, tools, true);
    if (!tools.isEmpty() && text.equals(opening(messages))) {
      throw new UserException("the chat template of the model folder supports no tools");
    }
    return text;
  }

  @Override
  public String following(List<Message> messages) {
    List<Message> stub = new ArrayList<>(List.of(ASKED, new Message("assistant", MARK)));
    stub.addAll(messages);
    String text = render(stub, List.of(), true);
    int mark = text.indexOf(MARK);
    if (mark < 0) {
      throw new UserException("the chat template omits the assistant's message");
    }
    return text.substring(mark + MARK.length());
  }

  private String render(List<Message> messages, List<?> tools, boolean responding) {
    Map<String, @Nullable Object> context = new HashMap<>(variables);
    context.put("tools", tools.isEmpty() ? null : tools);
    context.put("documents", null);
    context.put("add_generation_prompt", responding);
    context.put("messages", maps(messages));
    try {
      return template.render("the conversation", context);
    } catch (UserException e) {
      if (Message.pictures(messages).isEmpty()) {
        throw e;
      }
      throw new UserException("the chat template does not support pictures: " + e.getMessage(), e);
    }
  }

  private static List<Map<String, Object>> maps(List<Message> messages) {
    List<Map<String, Object>> maps = new ArrayList<>();
    int results = 0;
    for (Message message : messages) {
      Map<String, Object> map = new HashMap<>();
      map.put("role", message.role());
      map.put("content", message.pictures().isEmpty() ? message.content() : parts(message));
      if (message.tool() != null) {
        map.put("name", message.tool());
      }
      if (message.role().equals("tool")) {
        // Mistral's templates require nine letters and digits
        map.put("tool_call_id", "call%05d".formatted(results++));
      }
      maps.add(map);
    }
    return maps;
  }

  private static List<Map<String, String>> parts(Message message) {
    return message.parts().stream()
        .map(
            part ->
                part instanceof Message.Part.Text(String text)
                    ? Map.of("type", "text", "text", text)
                    : Map.of("type", "image"))
        .toList();
  }
}
