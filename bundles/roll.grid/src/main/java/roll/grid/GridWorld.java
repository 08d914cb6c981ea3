package roll.grid;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import roll.api.env.Scenario.Aggregation;
import roll.api.option.Option;
import roll.api.option.Options;

/**
 * The common part of grid environments, as in ROLL: four named actions, symbols with meanings, an
 * instruction with both, and the metrics of a step.
 */
public final class GridWorld {
  /** Aggregations of the metrics of {@link #metrics} over an episode. */
  public static final Map<String, Aggregation> AGGREGATIONS =
      Map.of(
          "action_is_effective", Aggregation.MEAN,
          "action_is_valid", Aggregation.MEAN,
          "success", Aggregation.LAST,
          "format_penalty", Aggregation.MEAN);

  /** The number and symbol of each kind of cell; the environment sets the default. */
  public static final Option<Map<String, String>> SYMBOLS =
      Option.mapping("grid_lookup", "symbol of each kind of cell");

  private static final Option<Integer> MAX_STEPS =
      Option.integer(
          "max_steps", 1, Integer.MAX_VALUE, "maximum turns of an episode; no limit by default");
  private static final Option<Double> FORMAT_PENALTY =
      Option.number("format_penalty", "reward of a response without a valid action; nothing moves")
          .withDefault(0.0);
  private static final Option<Map<String, String>> ACTION_NAMES =
      Option.mapping("action_lookup", "names of the actions, case-insensitive");
  private static final Option<Map<String, String>> MEANINGS =
      Option.mapping("grid_vocab", "meaning of each symbol, for the instruction");
  private static final Option<String> INSTRUCTION =
      Option.text(
          "env_instruction",
          "the task, before the first observation, followed by symbols and actions; empty: no"
              + " instruction");
  private static final Option<String> RENDER_MODE =
      Option.choice(
          "render_mode",
          List.of("text", "rgb_array"),
          "ROLL's name of `observation`: `rgb_array` is `picture`; the two must not conflict");
  private static final int PATCH = 14;
  private static final Option<Integer> CELL_PIXELS =
      Option.integer(
              "cell_pixels",
              PATCH,
              20 * PATCH,
              "side of a cell in observed pictures, a multiple of 14: with 28 a cell is one token"
                  + " of a Qwen-VL model, with 56 four")
          .withDefault(4 * PATCH);
  private static final int LONGEST_SIDE = 4096;
  private static final int ACTIONS = 4;

  private final int maxSteps;
  private final double formatPenalty;
  private final ObservationMode observation;
  private final int cellPixels;
  private final List<String> actions;
  private final ActionParser parser;
  private final String instruction;

  /**
   * Creates the grid world with the options that {@link #options} declares, after checking them.
   *
   * @param firstAction number of the first of the four actions
   * @throws roll.api.option.UserException if a value is not allowed
   */
  public GridWorld(Options options, int firstAction) {
    this(options, firstAction, "");
  }

  /**
   * Like {@link #GridWorld(Options, int)}, for an environment with pictures.
   *
   * @param picture sentence of the instruction that describes the picture
   */
  public GridWorld(Options options, int firstAction, String picture) {
    observation = ObservationMode.of(options, RENDER_MODE);
    cellPixels = options.get(CELL_PIXELS);
    if (cellPixels % PATCH != 0) {
      throw options.wrong(CELL_PIXELS, "a multiple of " + PATCH);
    }
    maxSteps = options.find(MAX_STEPS).orElse(Integer.MAX_VALUE);
    formatPenalty = options.get(FORMAT_PENALTY);
    Map<Integer, String> lookup = lookup(options, firstAction);
    actions = List.copyOf(lookup.values());
    parser = new ActionParser(options, lookup);
    instruction = instruction(options, actions, observation, picture);
  }

  /**
   * Returns the common options with the defaults of an environment.
   *
   * @param maxSteps maximum turns of an episode, or null for no limit
   * @param actions number and name of each action, see {@link #numbered}
   * @param symbols number and symbol of each kind of cell
   * @param meanings symbol and meaning of each kind of cell
   * @param task the instruction
   */
  public static List<Option<?>> options(
      @Nullable Integer maxSteps,
      Map<String, String> actions,
      Map<String, String> symbols,
      Map<String, String> meanings,
      String task) {
    return List.of(
        maxSteps == null
            ? MAX_STEPS
            : MAX_STEPS.withDefault(maxSteps).withDescription("maximum turns of an episode"),
        FORMAT_PENALTY,
        ActionParser.PATTERN,
        ActionParser.SPECIAL_TOKENS,
        ACTION_NAMES.withDefault(actions),
        SYMBOLS.withDefault(symbols),
        MEANINGS.withDefault(meanings),
        INSTRUCTION.withDefault(task),
        ObservationMode.OPTION,
        RENDER_MODE,
        CELL_PIXELS);
  }

  /** Returns a mapping of {@code first}, {@code first} + 1 … to {@code names}. */
  public static Map<String, String> numbered(int first, String... names) {
    Map<String, String> mapping = new LinkedHashMap<>();
    for (int i = 0; i < names.length; i++) {
      mapping.put(String.valueOf(first + i), names[i]);
    }
    return mapping;
  }

  /** Returns a mapping in order: key, value, key, value … */
  public static Map<String, String> ordered(String... keysAndValues) {
    Map<String, String> mapping = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      mapping.put(keysAndValues[i], keysAndValues[i + 1]);
    }
    return mapping;
  }

  private static Map<Integer, String> lookup(Options options, int first) {
    Map<Integer, String> actions = new TreeMap<>();
    Map<String, String> given = options.get(ACTION_NAMES);
    for (int number = first; number < first + ACTIONS; number++) {
      String name = given.get(String.valueOf(number));
      if (name != null) {
        actions.put(number, name);
      }
    }
    long names = actions.values().stream().map(n -> n.toLowerCase(Locale.ROOT)).distinct().count();
    if (given.size() != ACTIONS || names != ACTIONS) {
      throw options.wrong(
          ACTION_NAMES, "distinct names for the actions " + first + " to " + (first + ACTIONS - 1));
    }
    return actions;
  }

  private static String instruction(
      Options options, List<String> actions, ObservationMode observation, String picture) {
    String task = options.get(INSTRUCTION);
    Map<String, String> meanings = options.get(MEANINGS);
    if (!meanings.keySet().containsAll(options.get(SYMBOLS).values())) {
      throw options.wrong(MEANINGS, "a meaning for each symbol of grid_lookup");
    }
    if (task.isEmpty()) {
      return "";
    }
    String symbols =
        "\nThe meaning of each symbol in the state is:\n"
            + meanings.entrySet().stream()
                .map(meaning -> meaning.getKey() + ": " + meaning.getValue())
                .collect(Collectors.joining(", "));
    return task
        + (observation.showsPicture() && !picture.isEmpty() ? "\n" + picture : "")
        + (observation.showsText() ? symbols : "")
        + "\nYour available actions are:\n"
        + String.join(", ", actions);
  }

  /**
   * Refuses cells that make a picture larger than {@value #LONGEST_SIDE} pixels a side.
   *
   * @param cells number of cells of the longer side
   * @throws roll.api.option.UserException if pictures are observed and too large
   */
  public void checkPicture(Options options, int cells) {
    int most = LONGEST_SIDE / cells / PATCH * PATCH;
    if (observation.showsPicture() && cellPixels > most) {
      throw options.wrong(CELL_PIXELS, "at most " + most + " where a side has " + cells + " cells");
    }
  }

  /** Returns the maximum turns of an episode; {@link Integer#MAX_VALUE} for no limit. */
  public int maxSteps() {
    return maxSteps;
  }

  /** Returns the reward to add for a response without a valid action. */
  public double formatPenalty() {
    return formatPenalty;
  }

  /** Returns the observation mode of the grid world. */
  public ObservationMode observation() {
    return observation;
  }

  /** Returns whether the observation is the picture alone. */
  public boolean pictures() {
    return observation == ObservationMode.PICTURE;
  }

  /** Returns the side of a cell in observed pictures, in pixels. */
  public int cellPixels() {
    return cellPixels;
  }

  /** Returns the names of the four actions, by number. */
  public List<String> actions() {
    return actions;
  }

  /** Returns the parser of the agent's actions. */
  public ActionParser parser() {
    return parser;
  }

  /** Returns the instruction: task, symbols and actions; may be empty. */
  public String instruction() {
    return instruction;
  }

  /**
   * Returns the metrics of a step.
   *
   * @param effective whether the player moved
   * @param valid whether the response had a valid action; if not, {@link #formatPenalty} is one
   * @param success whether the task is done
   */
  public Map<String, Double> metrics(boolean effective, boolean valid, boolean success) {
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("action_is_effective", effective ? 1.0 : 0.0);
    metrics.put("action_is_valid", valid ? 1.0 : 0.0);
    metrics.put("success", success ? 1.0 : 0.0);
    metrics.put("format_penalty", valid ? 0.0 : formatPenalty);
    return metrics;
  }
}
