package roll.config.build;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import roll.api.strategy.Sampling;
import roll.api.strategy.StructuredOutput;
import roll.config.schema.Section;

/** The key {@code structured_outputs} of sampling settings, as vLLM has it. */
final class StructuredOutputs {
  private static final String KEY = "structured_outputs";
  private static final String EXPECTED =
      "one of regex: a text, json: a schema, json_object: true, choice: texts";

  private StructuredOutputs() {}

  /**
   * Returns {@code sampling} with the texts that {@code section} allows.
   *
   * @throws roll.api.option.UserException if it does not name exactly one kind
   */
  static Sampling apply(Section section, Sampling sampling) {
    if (!section.has(KEY)) {
      return sampling;
    }
    Map<String, Object> given = section.mapping(KEY);
    for (String other : List.of("guided_choice", "allowed_token_ids")) {
      if (section.has(other)) {
        throw section.wrong(other, "nothing where " + KEY + " is given");
      }
    }
    if (section.integer("min_new_tokens") > 0) {
      throw section.wrong("min_new_tokens", "0 where " + KEY + " is given");
    }
    if (given.size() != 1) {
      throw section.wrong(KEY, EXPECTED);
    }
    Map.Entry<String, Object> only = given.entrySet().iterator().next();
    Sampling structured = apply(only.getKey(), only.getValue(), sampling);
    if (structured == null) {
      throw section.wrong(KEY, EXPECTED);
    }
    return structured;
  }

  /** Returns null if {@code kind} is unknown, or {@code value} has another type. */
  private static @Nullable Sampling apply(String kind, Object value, Sampling sampling) {
    return switch (value) {
      case String pattern when kind.equals("regex") ->
          sampling.withStructuredOutput(new StructuredOutput.Regex(pattern));
      case String schema when kind.equals("json") ->
          sampling.withStructuredOutput(new StructuredOutput.Json(schema));
      case Map<?, ?> schema when kind.equals("json") ->
          sampling.withStructuredOutput(new StructuredOutput.Json(json(schema)));
      case Boolean any when kind.equals("json_object") && any ->
          sampling.withStructuredOutput(StructuredOutput.Json.OBJECT);
      case List<?> texts
          when kind.equals("choice")
              && !texts.isEmpty()
              && texts.stream().allMatch(text -> text instanceof String s && !s.isEmpty()) ->
          sampling.withChoices(texts.stream().map(String.class::cast).toList());
      default -> null;
    };
  }

  /** Returns {@code value} of YAML as JSON. */
  private static String json(@Nullable Object value) {
    StringBuilder text = new StringBuilder();
    write(value, text);
    return text.toString();
  }

  private static void write(@Nullable Object value, StringBuilder text) {
    switch (value) {
      case Map<?, ?> map -> {
        char before = '{';
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          text.append(before);
          write(String.valueOf(entry.getKey()), text);
          text.append(':');
          write(entry.getValue(), text);
          before = ',';
        }
        text.append(map.isEmpty() ? "{}" : "}");
      }
      case List<?> list -> {
        char before = '[';
        for (Object one : list) {
          text.append(before);
          write(one, text);
          before = ',';
        }
        text.append(list.isEmpty() ? "[]" : "]");
      }
      case String word -> {
        text.append('"');
        word.chars().forEach(c -> escape((char) c, text));
        text.append('"');
      }
      case null -> text.append("null");
      default -> text.append(value);
    }
  }

  private static void escape(char c, StringBuilder text) {
    if (c < ' ' || c == '"' || c == '\\') {
      text.append("\\u%04x".formatted((int) c));
    } else {
      text.append(c);
    }
  }
}
