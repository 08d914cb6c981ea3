package roll.openai.request;

import com.google.gson.JsonElement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The variables of the chat template that a request sets. */
public final class TemplateVariables {
  /** The parameter with variables by name, as in a run's {@code data_args}. */
  public static final String NAME = "chat_template_kwargs";

  private static final String THINKING = "enable_thinking";
  private static final Set<String> EFFORTS =
      Set.of("none", "minimal", "low", "medium", "high", "xhigh", "max");

  private TemplateVariables() {}

  /**
   * Returns the variables in {@code fields}.
   *
   * @param thinking whether a dialect's own parameter asks the model to think, or null; the
   *     variables have precedence
   * @throws ApiException if they are not an object
   */
  public static Map<String, Object> of(RequestFields fields, @Nullable Boolean thinking) {
    JsonElement variables = fields.get(NAME);
    Map<String, Object> named = new LinkedHashMap<>();
    if (thinking != null) {
      named.put(THINKING, thinking);
    }
    if (variables != null) {
      if (!(RequestFields.plain(variables) instanceof Map<?, ?> map)) {
        throw fields.wrong(NAME, "an object");
      }
      map.forEach((name, value) -> named.put(String.valueOf(name), value));
    }
    return named;
  }

  /**
   * Returns whether the effort of reasoning {@code name} asks the model to think; null if it is
   * missing.
   *
   * @throws ApiException if there is no such effort
   */
  public static @Nullable Boolean effort(RequestFields fields, String name) {
    String effort = fields.text(name);
    return effort == null ? null : thinks(name, effort);
  }

  /** Returns whether {@code effort} asks the model to think. */
  public static boolean thinks(String where, String effort) {
    if (!EFFORTS.contains(effort)) {
      throw ApiException.invalid(
          where, "expected one of " + String.join(", ", List.of("none", "low", "medium", "high")));
    }
    return !effort.equals("none");
  }
}
