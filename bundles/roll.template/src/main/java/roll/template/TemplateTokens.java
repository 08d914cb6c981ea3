package roll.template;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The special tokens of a model folder, which its chat template sees as variables. */
final class TemplateTokens {
  private static final List<String> NAMES =
      List.of(
          "bos_token",
          "eos_token",
          "unk_token",
          "sep_token",
          "pad_token",
          "cls_token",
          "mask_token");

  private TemplateTokens() {}

  /**
   * Returns the texts of special tokens by name. What {@code config}, the tokenizer_config.json,
   * leaves out comes from special_tokens_map.json where there is one.
   */
  static Map<String, Object> of(Path folder, Map<String, @Nullable Object> config) {
    Map<String, @Nullable Object> known =
        JsonFile.object(folder.resolve("special_tokens_map.json"));
    known.putAll(config);
    Map<String, Object> tokens = new LinkedHashMap<>();
    for (String name : NAMES) {
      String text = text(known.get(name));
      if (text != null) {
        tokens.put(name, text);
      }
    }
    if (known.get("additional_special_tokens") instanceof List<?> more) {
      List<String> texts = new ArrayList<>();
      more.forEach(token -> texts.add(String.valueOf(text(token))));
      tokens.put("additional_special_tokens", texts);
    }
    if (known.get("extra_special_tokens") instanceof Map<?, ?> named) {
      named.forEach((name, token) -> tokens.put(name.toString(), String.valueOf(text(token))));
    }
    return tokens;
  }

  /** Returns the text of a token, which is written as text or as an object with its text. */
  private static @Nullable String text(@Nullable Object token) {
    return switch (token) {
      case String text -> text;
      case Map<?, ?> map when map.get("content") instanceof String text -> text;
      case null, default -> null;
    };
  }
}
