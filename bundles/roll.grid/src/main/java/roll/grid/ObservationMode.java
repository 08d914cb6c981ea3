package roll.grid;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import roll.api.option.Option;
import roll.api.option.Options;

/** The observation of an agent: text, picture, or both. */
public enum ObservationMode {
  /** Observation mode: text without a picture. */
  TEXT,
  /** The picture; the text has only what the picture does not show, and may be empty. */
  PICTURE,
  /** The picture and the text of {@link #TEXT}. */
  BOTH;

  /** The option of environments with pictures. */
  public static final Option<String> OPTION =
      Option.choice(
          "observation",
          List.of("text", "picture", "both"),
          "observation; `picture` and `both` need a model with vision or an agent (`llm_proxy`)");

  /** Returns the mode of {@code options}; text by default. */
  public static ObservationMode of(Options options) {
    return options.find(OPTION).map(ObservationMode::named).orElse(TEXT);
  }

  private static ObservationMode named(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  /**
   * Returns the mode of {@code options}, by this option or an older one; text by default.
   *
   * @param older option whose value {@code text} means {@link #TEXT}, and any other value a picture
   * @throws roll.api.option.UserException if the two conflict
   */
  public static ObservationMode of(Options options, Option<String> older) {
    Optional<String> asked = options.find(older);
    if (asked.isEmpty()) {
      return of(options);
    }
    boolean picture = !asked.get().equals("text");
    if (options.has(OPTION) && of(options).showsPicture() != picture) {
      throw options.wrong(
          OPTION,
          "%s where %s is %s"
              .formatted(picture ? "picture or both" : "text", older.name(), asked.get()));
    }
    return options.has(OPTION) ? of(options) : picture ? PICTURE : TEXT;
  }

  /** Returns whether the agent sees the full text. */
  public boolean showsText() {
    return this != PICTURE;
  }

  /** Returns whether the agent sees a picture in every turn. */
  public boolean showsPicture() {
    return this != TEXT;
  }
}
