package roll.grid;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import roll.api.option.Option;
import roll.api.option.Options;

/** What an agent is shown of a world: its text, its picture, or both. */
public enum ObservationMode {
  /** The text alone; there is no picture. */
  TEXT,
  /** The picture alone; the text has what no picture shows, and is empty where that is nothing. */
  PICTURE,
  /** The picture, and the text that {@link #TEXT} has. */
  BOTH;

  /** What worlds that can be drawn call it. */
  public static final Option<String> OPTION =
      Option.choice(
          "observation",
          List.of("text", "picture", "both"),
          "what the agent sees; `picture` and `both` need a model that sees, or an agent"
              + " (`llm_proxy`)");

  /** What {@code options} ask for; text where they say nothing. */
  public static ObservationMode of(Options options) {
    return options.find(OPTION).map(ObservationMode::named).orElse(TEXT);
  }

  private static ObservationMode named(String word) {
    return valueOf(word.toUpperCase(Locale.ROOT));
  }

  /**
   * What {@code options} ask for, in this word or in an older one; text where they say nothing.
   *
   * @param older an option whose value {@code text} means {@link #TEXT} and whose other values ask
   *     for a picture
   * @throws roll.api.option.UserException if the two contradict each other
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

  /** Whether the agent reads the whole text of the world. */
  public boolean showsText() {
    return this != PICTURE;
  }

  /** Whether the agent sees a picture in every turn. */
  public boolean showsPicture() {
    return this != TEXT;
  }
}
