package roll.rollout;

import java.util.ArrayList;
import java.util.List;
import roll.api.config.Suggestion;
import roll.api.config.UserException;
import roll.api.model.Tokenizer;
import roll.api.rollout.ChatFormat;

/** The chat formats that {@code data_args.template} may name. */
final class ChatFormats {
  private static final List<String> NAMES = List.of("qwen2_5", "chatml");

  private ChatFormats() {}

  /**
   * The format {@code name}.
   *
   * @param tokenizer must know the format's special tokens
   * @throws UserException if there is no such format, or it does not fit the tokenizer
   */
  static ChatFormat find(String name, Tokenizer tokenizer) {
    if (!NAMES.contains(name)) {
      throw new UserException(
          "data_args.template: '"
              + name
              + "' is not supported yet (allowed: "
              + String.join(", ", NAMES)
              + ")"
              + Suggestion.near(name, NAMES));
    }
    ChatMl format = new ChatMl();
    List<String> missing =
        format.specials().stream().filter(token -> tokenizer.id(token) < 0).toList();
    if (!missing.isEmpty()) {
      throw new UserException(
          "data_args.template: '"
              + name
              + "' needs the tokens "
              + String.join(" and ", missing)
              + ", which the model's tokenizer does not have");
    }
    return format;
  }

  /** Ids of the tokens that end a response: the format's own, then the tokenizer's. */
  static List<Integer> stopTokens(ChatFormat format, Tokenizer tokenizer) {
    List<Integer> stops = new ArrayList<>();
    for (String stop : format.stops()) {
      stops.add(tokenizer.id(stop));
    }
    for (int stop : tokenizer.stopTokens()) {
      if (!stops.contains(stop)) {
        stops.add(stop);
      }
    }
    return List.copyOf(stops);
  }
}
