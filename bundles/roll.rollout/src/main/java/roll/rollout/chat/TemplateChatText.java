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
 * The chat template of a model folder. What follows a response is cut out of a fixed stub
 * conversation: a user's message, a mark in place of the response, then the new messages. So it
 * does not depend on what was said before, and a template that rewrites earlier turns, as Qwen3's
 * strips their thinking, does not reach the tokens that were sampled.
 *
 * @param template renders
 * @param variables it sees beside the messages
 */
record TemplateChatText(ChatTemplate template, Map<String, ?> variables) implements ChatText {
  private static final Message ASKED = new Message("user", "?");

  /** A character for private use, which neither templates nor messages contain. */
  private static final String MARK = "\uE000";

  /** The same with {@code more} variables over its own. */
  TemplateChatText with(Map<String, ?> more) {
    Map<String, Object> all = new HashMap<>(variables);
    all.putAll(more);
    return new TemplateChatText(template, all);
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
      throw new UserException("the chat template of the model folder lists no tools");
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
      throw new UserException("the chat template leaves out what the assistant said");
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
      throw new UserException("the chat template has no place for pictures: " + e.getMessage(), e);
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
        // nine letters and digits, as Mistral's templates want them
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
