package roll.env.frozen_lake;

import static roll.api.option.OptionInfo.Type.BOOLEAN;
import static roll.api.option.OptionInfo.Type.INTEGER;
import static roll.api.option.OptionInfo.Type.MAPPING;
import static roll.api.option.OptionInfo.Type.NUMBER;

import java.util.ArrayList;
import java.util.List;
import org.osgi.service.component.annotations.Component;
import roll.api.env.Environment;
import roll.api.env.RollEnv;
import roll.api.env.Scenario;
import roll.api.option.OptionInfo;
import roll.api.option.Options;
import roll.grid.GridWorld;

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
    List<OptionInfo> options = new ArrayList<>();
    options.add(new OptionInfo("size", INTEGER, 4, "rows and columns of the lake"));
    options.add(new OptionInfo("p", NUMBER, 0.8, "probability that a cell is ice and not a hole"));
    options.add(
        new OptionInfo(
            "is_slippery",
            BOOLEAN,
            true,
            "whether two of three moves go off at a right angle, one to each side"));
    options.add(
        new OptionInfo(
            "map_seed", INTEGER, null, "the one map of all episodes; absent, a map each"));
    options.addAll(
        GridWorld.options(
            null,
            GridWorld.numbered(0, "Left", "Down", "Right", "Up"),
            GridWorld.numbered(0, "P", "_", "O", "G", "X", "√"),
            GridWorld.ordered(
                "P", "player",
                "_", "empty",
                "O", "hole",
                "G", "goal",
                "X", "player in hole",
                "√", "player on goal"),
            "You stand on a frozen lake. Walk to the goal and do not fall into a hole."));
    options.add(
        new OptionInfo(
            "map_lookup",
            MAPPING,
            GridWorld.ordered("P", 0, "F", 1, "H", 2, "G", 3),
            "number in grid_lookup of player, frozen, hole and goal"));
    return List.copyOf(options);
  }

  @Override
  public Scenario configure(Options options) {
    return new FrozenLakeScenario(options);
  }
}
