package roll.env.frozen_lake;

import java.awt.image.BufferedImage;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import roll.api.env.ActionParser.Action;
import roll.api.env.Episode;
import roll.api.env.Step;

/** One walk over one lake. */
final class FrozenLakeEpisode implements Episode {
  private final FrozenLakeScenario scenario;
  private final LakeMap map;
  private final RandomGenerator slip;
  private int position;
  private int steps;
  private boolean over;

  FrozenLakeEpisode(FrozenLakeScenario scenario, LakeMap map, RandomGenerator slip) {
    this.scenario = scenario;
    this.map = map;
    this.slip = slip;
    this.position = map.start();
  }

  @Override
  public String observation() {
    return scenario.symbols().text(map, position);
  }

  @Override
  public List<String> actions() {
    return over ? List.of() : scenario.actions();
  }

  @Override
  public String respond(String action) {
    return scenario.parser().respond(action);
  }

  /** The first move of a shortest way, as if nothing slipped. */
  @Override
  public Optional<String> expert() {
    int direction = over ? -1 : map.wayFrom(position);
    return direction < 0 ? Optional.empty() : Optional.of(scenario.actions().get(direction));
  }

  @Override
  public Step step(String response) {
    if (over) {
      throw new IllegalStateException("the episode is over");
    }
    int before = position;
    Action action = scenario.parser().parse(response);
    if (action != null) {
      position = map.neighbour(position, direction(action.number()));
    }
    steps++;
    boolean success = position == map.goal();
    boolean terminated = success || map.holes()[position];
    boolean truncated = !terminated && steps >= scenario.maxSteps();
    over = terminated || truncated;
    double penalty = action == null ? scenario.formatPenalty() : 0;
    Map<String, Double> metrics = new LinkedHashMap<>();
    metrics.put("action_is_effective", position == before ? 0.0 : 1.0);
    metrics.put("action_is_valid", action == null ? 0.0 : 1.0);
    metrics.put("success", success ? 1.0 : 0.0);
    metrics.put("format_penalty", penalty);
    return new Step(observation(), success ? 1 : penalty, terminated, truncated, metrics);
  }

  /** On slippery ice the move goes left of, along or right of the action, each in a third. */
  private int direction(int action) {
    return scenario.slippery()
        ? Math.floorMod(action + slip.nextInt(3) - 1, LakeMap.DIRECTIONS)
        : action;
  }

  @Override
  public BufferedImage render() {
    return LakePicture.draw(map, position);
  }
}
