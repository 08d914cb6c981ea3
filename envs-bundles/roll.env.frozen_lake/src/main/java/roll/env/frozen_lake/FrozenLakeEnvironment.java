package roll.env.frozen_lake;

import static roll.api.config.OptionInfo.Type.BOOLEAN;
import static roll.api.config.OptionInfo.Type.INTEGER;
import static roll.api.config.OptionInfo.Type.LIST;
import static roll.api.config.OptionInfo.Type.MAPPING;
import static roll.api.config.OptionInfo.Type.NUMBER;
import static roll.api.config.OptionInfo.Type.TEXT;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.osgi.service.component.annotations.Component;
import roll.api.config.OptionInfo;
import roll.api.config.Options;
import roll.api.env.Environment;
import roll.api.env.RollEnv;
import roll.api.env.Scenario;

/**
 * FrozenLake as ROLL plays it, after Gymnasium's FrozenLake-v1: random maps with random start and
 * goal, drawn anew for every seed until the goal can be reached.
 */
@Component(name = "roll.env.frozen_lake")
@RollEnv("frozen_lake")
public final class FrozenLakeEnvironment implements Environment {
  @Override
  public String description() {
    return "Walk over the ice to the goal (reward 1) without falling into a hole (reward 0).";
  }

  @Override
  public List<OptionInfo> options() {
    return List.of(
        new OptionInfo("size", INTEGER, 4, "rows and columns of the lake"),
        new OptionInfo("p", NUMBER, 0.8, "probability that a cell is ice and not a hole"),
        new OptionInfo(
            "is_slippery",
            BOOLEAN,
            true,
            "whether two of three moves go off at a right angle, one to each side"),
        new OptionInfo(
            "map_seed", INTEGER, null, "the one map of all episodes; absent, a map each"),
        new OptionInfo(
            "max_steps", INTEGER, null, "turns after which an episode is cut; absent, never"),
        new OptionInfo("format_penalty", NUMBER, 0.0, "reward of a response without valid action"),
        new OptionInfo(
            "action_pattern", TEXT, "<answer>(.*?)</answer>", "where the action is in a response"),
        new OptionInfo(
            "special_token_list",
            LIST,
            List.of("<|im_start|>", "<|im_end|>"),
            "what is removed from a response before the action is sought"),
        new OptionInfo(
            "action_lookup",
            MAPPING,
            numbered("Left", "Down", "Right", "Up"),
            "names of the actions 0 to 3: left, down, right, up"),
        new OptionInfo(
            "grid_lookup", MAPPING, numbered("P", "_", "O", "G", "X", "√"), "symbol of each cell"),
        new OptionInfo(
            "map_lookup",
            MAPPING,
            ordered("P", 0, "F", 1, "H", 2, "G", 3),
            "number in grid_lookup of player, frozen, hole and goal"),
        new OptionInfo(
            "grid_vocab",
            MAPPING,
            ordered(
                "P", "player",
                "_", "empty",
                "O", "hole",
                "G", "goal",
                "X", "player in hole",
                "√", "player on goal"),
            "what each symbol means, for the instruction"),
        new OptionInfo(
            "env_instruction",
            TEXT,
            "You stand on a frozen lake. Walk to the goal and do not fall into a hole.",
            "the task, told before the first observation with symbols and actions; empty tells"
                + " nothing"),
        new OptionInfo("render_mode", TEXT, "text", "what the agent observes: text"));
  }

  @Override
  public Scenario configure(Options options) {
    return new FrozenLakeScenario(options);
  }

  private static Map<String, Object> numbered(String... names) {
    Map<String, Object> mapping = new LinkedHashMap<>();
    for (int i = 0; i < names.length; i++) {
      mapping.put(String.valueOf(i), names[i]);
    }
    return mapping;
  }

  private static Map<String, Object> ordered(Object... keysAndValues) {
    Map<String, Object> mapping = new LinkedHashMap<>();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      mapping.put((String) keysAndValues[i], keysAndValues[i + 1]);
    }
    return mapping;
  }
}
