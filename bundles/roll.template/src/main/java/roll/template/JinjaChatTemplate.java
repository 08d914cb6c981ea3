package roll.template;

import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import roll.api.model.ChatTemplate;
import roll.api.option.UserException;
import roll.template.jinja.value.TemplateException;
import roll.text.Suggestion;

/** The chat template of a model folder, which may be several under names. */
final class JinjaChatTemplate implements ChatTemplate {
  /** Keys of {@code apply_chat_template} itself, not variables of the template. */
  private static final Set<String> OWN = Set.of("chat_template", "continue_final_message");

  private final Map<String, TemplateSource> sources;
  private final Map<String, Object> specials;
  private final Clock clock;

  /**
   * Creates a chat template from the template sources of a model folder.
   *
   * @param sources by name; the one that is used if nothing else is asked for is {@code default}
   * @param specials special tokens by the name of their variable
   */
  JinjaChatTemplate(
      Map<String, TemplateSource> sources, Map<String, Object> specials, Clock clock) {
    this.sources = sources;
    this.specials = specials;
    this.clock = clock;
  }

  @Override
  public String render(String where, Map<String, ? extends @Nullable Object> context) {
    if (!(context.get("messages") instanceof List<?> messages) || messages.isEmpty()) {
      throw new UserException(
          where
              + ": messages: expected a list of at least one message, found "
              + (context.containsKey("messages") ? context.get("messages") : "none"));
    }
    TemplateSource source = choose(where, context);
    Map<String, @Nullable Object> variables = new HashMap<>(specials);
    variables.putAll(context);
    variables.keySet().removeAll(OWN);
    return switch (context.get("continue_final_message")) {
      case null -> render(source, variables);
      case Boolean wanted when !wanted -> render(source, variables);
      case Boolean wanted -> continued(where, source, variables, messages, "content");
      case String field -> continued(where, source, variables, messages, field);
      default ->
          throw new UserException(
              where + ": continue_final_message: expected true, false or the name of a field");
    };
  }

  private String render(TemplateSource source, Map<String, @Nullable Object> variables) {
    try {
      return source.template().render(variables, clock);
    } catch (TemplateException e) {
      throw TemplateSource.failure(source.where(), e);
    }
  }

  private String continued(
      String where,
      TemplateSource source,
      Map<String, @Nullable Object> variables,
      List<?> messages,
      String field) {
    String key = where + ": continue_final_message: ";
    if (Boolean.TRUE.equals(variables.get("add_generation_prompt"))) {
      throw new UserException(key + "add_generation_prompt would begin another message");
    }
    if (!source.text().contains(field)) {
      throw new UserException(key + "the template does not read '" + field + "'");
    }
    FinalMessage end = FinalMessage.of(key, messages, field);
    variables.put("messages", end.messages());
    return end.cut(key, render(source, variables));
  }

  /** Returns the template that {@code context} names, otherwise the one for tools if it has any. */
  private TemplateSource choose(String where, Map<String, ? extends @Nullable Object> context) {
    Object wanted = context.get("chat_template");
    if (wanted == null) {
      boolean tools = context.get("tools") != null && sources.containsKey("tool_use");
      wanted = tools ? "tool_use" : "default";
    }
    TemplateSource source = sources.get(wanted.toString());
    if (source == null) {
      throw new UserException(
          where
              + ": chat_template: '"
              + wanted
              + "' is not among the folder's ("
              + String.join(", ", sources.keySet())
              + ")"
              + Suggestion.near(wanted.toString(), sources.keySet()));
    }
    return source;
  }
}
