package {{basePackageName}};

import java.util.List;
import org.osgi.service.component.annotations.Component;
import roll.api.data.RandomStreams;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.RollEnv;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.api.option.Option;
import roll.api.option.Options;

/** A corridor: {@code P} is the player, {@code G} the goal. */
@Component(name = "{{projectName}}")
@RollEnv("{{projectName}}")
public final class {{className}}Environment implements Environment {
  private static final Option<Integer> CELLS =
      Option.integer("cells", 1, 20, "most cells between player and goal").withDefault(4);

  @Override
  public String description() {
    return "Walk along a corridor to the goal (reward 1) within 30 steps.";
  }

  /** The options in {@code env_config}; others are refused before. */
  @Override
  public List<Option<?>> options() {
    return List.of(CELLS);
  }

  @Override
  public Scenario configure(Options options) {
    return Scenario.of(
        "You are P. Walk Left or Right to G.", seed -> new Walk(seed, options.get(CELLS)));
  }

  /** An episode with its state: the goal is {@code distance} cells to the right. */
  private static final class Walk implements Episode {
    private int goal;
    private int steps;

    /** All randomness comes from the seed. */
    Walk(long seed, int cells) {
      int drawn = RandomStreams.of(seed, "{{projectName}}").nextInt(-cells, cells);
      goal = drawn < 0 ? drawn : drawn + 1;
    }

    @Override
    public String observation() {
      return goal < 0 ? "G" + "_".repeat(-goal) + "P" : "P" + "_".repeat(goal) + "G";
    }

    @Override
    public List<String> actions() {
      return List.of("Left", "Right");
    }

    /** Takes the agent's whole response; an invalid one continues the episode too. */
    @Override
    public Step step(String response) {
      goal += response.equals("Left") ? 1 : response.equals("Right") ? -1 : 0;
      return Step.towardsGoal(observation(), goal == 0, ++steps >= 30);
    }
  }
}
