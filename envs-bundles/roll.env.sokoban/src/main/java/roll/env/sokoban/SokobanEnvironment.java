package roll.env.sokoban;

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
 * Sokoban as ROLL plays it, after gym-sokoban: random solvable rooms, or levels of a file. Contents
 * of cells are numbered as in ROLL: 0 wall, 1 floor, 2 target, 3 box on target, 4 box, 5 player, 6
 * player on target.
 */
@Component(name = "roll.env.sokoban")
@RollEnv("sokoban")
public final class SokobanEnvironment implements Environment {
  @Override
  public String description() {
    return "Push every box onto a target: −0.1 a step, ±1 for a box on or off a target, 10 for"
        + " all.";
  }

  @Override
  public List<Option<?>> options() {
    List<Option<?>> options = new ArrayList<>(SokobanScenario.OPTIONS);
    options.addAll(
        GridWorld.options(
            20,
            GridWorld.numbered(1, "Up", "Down", "Left", "Right"),
            GridWorld.numbered(0, "#", "_", "O", "√", "X", "P", "S"),
            GridWorld.ordered(
                "#", "wall",
                "_", "empty",
                "O", "target",
                "√", "box on target",
                "X", "box",
                "P", "player",
                "S", "player on target"),
            "You are in a room with boxes. Push every box onto a target."));
    return List.copyOf(options);
  }

  @Override
  public boolean safeToReplay(Options options) {
    return SokobanScenario.generates(options);
  }

  @Override
  public Scenario configure(Options options) {
    return new SokobanScenario(options);
  }
}
