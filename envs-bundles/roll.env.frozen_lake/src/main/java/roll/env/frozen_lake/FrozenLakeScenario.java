package roll.env.frozen_lake;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import roll.api.config.Options;
import roll.api.config.UserException;
import roll.api.data.RandomStreams;
import roll.api.env.ActionParser;
import roll.api.env.Episode;
import roll.api.env.Scenario;

/** A lake of given size, ice and rules. */
final class FrozenLakeScenario implements Scenario {
  private final int size;
  private final double frozen;
  private final @Nullable Integer mapSeed;
  private final boolean slippery;
  private final int maxSteps;
  private final double formatPenalty;
  private final LakeSymbols symbols;
  private final Map<Integer, String> actions;
  private final ActionParser parser;
  private final String instruction;

  FrozenLakeScenario(Options options) {
    checkRenderMode(options);
    size = options.integer("size", 2, 100);
    frozen = options.number("p", 0, 1);
    mapSeed =
        options.has("map_seed")
            ? options.integer("map_seed", Integer.MIN_VALUE, Integer.MAX_VALUE)
            : null;
    slippery = options.flag("is_slippery");
    maxSteps =
        options.has("max_steps")
            ? options.integer("max_steps", 1, Integer.MAX_VALUE)
            : Integer.MAX_VALUE;
    formatPenalty = options.number("format_penalty", -Double.MAX_VALUE, Double.MAX_VALUE);
    symbols = LakeSymbols.of(options);
    actions = actions(options);
    parser = new ActionParser(options, actions);
    instruction = instruction(options, actions);
  }

  private static void checkRenderMode(Options options) {
    String mode = options.text("render_mode");
    if (mode.equals("rgb_array")) {
      throw new UserException(
          options.where()
              + ".render_mode: 'rgb_array' (pictures as observations) is not supported yet;"
              + " use 'text'");
    }
    if (!mode.equals("text")) {
      throw options.wrong("render_mode", "'text'");
    }
  }

  /** Direction and name of each action. */
  private static Map<Integer, String> actions(Options options) {
    Map<Integer, String> actions = new TreeMap<>();
    Map<String, String> given = options.mapping("action_lookup");
    for (int direction = 0; direction < LakeMap.DIRECTIONS; direction++) {
      String name = given.get(String.valueOf(direction));
      if (name != null) {
        actions.put(direction, name);
      }
    }
    long names = actions.values().stream().map(n -> n.toLowerCase(Locale.ROOT)).distinct().count();
    if (given.size() != LakeMap.DIRECTIONS || names != LakeMap.DIRECTIONS) {
      throw options.wrong("action_lookup", "a name of its own for each of the actions 0 to 3");
    }
    return actions;
  }

  private static String instruction(Options options, Map<Integer, String> actions) {
    String task = options.text("env_instruction");
    Map<String, String> meanings = options.mapping("grid_vocab");
    if (!meanings.keySet().containsAll(options.mapping("grid_lookup").values())) {
      throw options.wrong("grid_vocab", "a meaning for each symbol of grid_lookup");
    }
    if (task.isEmpty()) {
      return "";
    }
    return task
        + "\nThe meaning of each symbol in the state is:\n"
        + meanings.entrySet().stream()
            .map(meaning -> meaning.getKey() + ": " + meaning.getValue())
            .collect(Collectors.joining(", "))
        + "\nYour available actions are:\n"
        + String.join(", ", actions.values());
  }

  @Override
  public String instruction() {
    return instruction;
  }

  @Override
  public Episode reset(long seed) {
    long map = mapSeed == null ? seed : mapSeed;
    return new FrozenLakeEpisode(
        this,
        LakeMap.random(size, frozen, RandomStreams.of(map, "roll.env.frozen_lake/map")),
        RandomStreams.of(seed, "roll.env.frozen_lake/slip"));
  }

  @Override
  public Map<String, Aggregation> aggregations() {
    Map<String, Aggregation> how = new LinkedHashMap<>();
    how.put("action_is_effective", Aggregation.MEAN);
    how.put("action_is_valid", Aggregation.MEAN);
    how.put("success", Aggregation.LAST);
    how.put("format_penalty", Aggregation.MEAN);
    return how;
  }

  boolean slippery() {
    return slippery;
  }

  int maxSteps() {
    return maxSteps;
  }

  double formatPenalty() {
    return formatPenalty;
  }

  LakeSymbols symbols() {
    return symbols;
  }

  ActionParser parser() {
    return parser;
  }

  List<String> actions() {
    return List.copyOf(actions.values());
  }
}
