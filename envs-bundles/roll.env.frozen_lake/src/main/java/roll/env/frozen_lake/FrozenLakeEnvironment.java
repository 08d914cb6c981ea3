package roll.env.frozen_lake;

import java.util.ArrayList;
import java.util.List;
import org.osgi.service.component.annotations.Component;
import roll.api.env.Environment;
import roll.api.env.RollEnv;
import roll.api.env.Scenario;
import roll.api.option.Option;
import roll.api.option.Options;
import roll.grid.GridWorld;

/**
 * FrozenLake as ROLL plays it, after Gymnasium's FrozenLake-v1: random maps with random start and
 * goal, redrawn for each seed until the goal is reachable.
 */
@Component(name = "roll.env.frozen_lake")
@RollEnv("frozen_lake")
public final class FrozenLakeEnvironment implements Environment {
  @Override
  public String description() {
    return "Walk over the ice to the goal (reward 1) without falling into a hole (reward 0).";
  }

  @Override
  public List<Option<?>> options() {
    List<Option<?>> options = new ArrayList<>(FrozenLakeScenario.OPTIONS);
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
    options.add(LakeSymbols.LETTERS);
    return List.copyOf(options);
  }

  @Override
  public boolean safeToReplay(Options options) {
    return true;
  }

  @Override
  public Scenario configure(Options options) {
    return new FrozenLakeScenario(options);
  }
}
