package roll.env.frozen_lake;

import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import roll.api.env.Episode;
import roll.api.env.Step;
import roll.grid.ActionParser.Action;

/** An episode on one FrozenLake map. */
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
    return scenario.grid().observation().showsText() ? scenario.symbols().text(map, position) : "";
  }

  @Override
  public Optional<BufferedImage> picture() {
    return scenario.grid().observation().showsPicture()
        ? Optional.of(scenario.picture().draw(map, position))
        : Optional.empty();
  }

  @Override
  public List<String> actions() {
    return over ? List.of() : scenario.grid().actions();
  }

  @Override
  public String respond(String action) {
    return scenario.grid().parser().respond(action);
  }

  /** Returns the first move of a shortest path, assuming no slips. */
  @Override
  public Optional<String> expert() {
    int direction = over ? -1 : map.firstMove(position);
    return direction < 0 ? Optional.empty() : Optional.of(scenario.grid().actions().get(direction));
  }

  @Override
  public Step step(String response) {
    if (over) {
      throw new IllegalStateException("the episode is over");
    }
    int before = position;
    Action action = scenario.grid().parser().parse(response);
    if (action != null) {
      position = map.neighbor(position, direction(action.number()));
    }
    steps++;
    boolean success = position == map.goal();
    boolean terminated = success || map.holes()[position];
    boolean truncated = !terminated && steps >= scenario.grid().maxSteps();
    over = terminated || truncated;
    double penalty = action == null ? scenario.grid().formatPenalty() : 0;
    Map<String, Double> metrics =
        scenario.grid().metrics(position != before, action != null, success);
    return new Step(observation(), success ? 1 : penalty, terminated, truncated, metrics);
  }

  /**
   * Returns the direction of the move: on slippery ice the action or either perpendicular
   * direction, each with probability 1/3.
   */
  private int direction(int action) {
    return scenario.slippery()
        ? Math.floorMod(action + slip.nextInt(3) - 1, LakeMap.DIRECTIONS)
        : action;
  }

  @Override
  public Optional<BufferedImage> render() {
    return Optional.of(LakePicture.forPeople(map, position));
  }
}
