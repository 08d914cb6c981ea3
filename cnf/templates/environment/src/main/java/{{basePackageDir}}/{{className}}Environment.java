package {{basePackageName}};

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.osgi.service.component.annotations.Component;
import roll.api.option.OptionInfo;
import roll.api.option.Options;
import roll.api.data.RandomStreams;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.RollEnv;
import roll.api.env.Scenario;
import roll.api.env.Step;

/** Small mazes: {@code P} is the player, {@code O} a wall, {@code G} the goal, worth 1. */
@Component(name = "{{projectName}}")
@RollEnv("{{projectName}}")
public final class {{className}}Environment implements Environment {
  private static final List<String> ACTIONS = List.of("Left", "Down", "Right", "Up");

  @Override
  public String description() {
    return "Walk through a maze to the goal (reward 1) before the steps are used up.";
  }

  /** What {@code env_config} of a YAML may say; unknown keys and wrong types never get here. */
  @Override
  public List<OptionInfo> options() {
    return List.of(
        new OptionInfo("size", OptionInfo.Type.INTEGER, 4, "rows and columns"),
        new OptionInfo("walls", OptionInfo.Type.NUMBER, 0.4, "share of walls off the way"),
        new OptionInfo("max_steps", OptionInfo.Type.INTEGER, 8, "steps of an episode"));
  }

  @Override
  public Scenario configure(Options options) {
    return new Mazes(
        options.integer("size", 2, 20),
        options.number("walls", 0, 1),
        options.integer("max_steps", 1, 1000));
  }

  /** The mazes of these options. Without state: many threads play at once. */
  private record Mazes(int size, double walls, int maxSteps) implements Scenario {
    @Override
    public String instruction() {
      return "You are P, walls are O. Walk to G with one of " + String.join(", ", ACTIONS) + ".";
    }

    /** All that is random comes from the seed: a stroll is the way, what lies off it may be wall. */
    @Override
    public Episode reset(long seed) {
      RandomGenerator random = RandomStreams.of(seed, "{{projectName}}");
      boolean[] way = new boolean[size * size];
      int start = random.nextInt(way.length);
      int goal = start;
      for (int step = 0; step < 2 * size || goal == start; step++) {
        goal = next(goal, random.nextInt(ACTIONS.size()));
        way[goal] = true;
      }
      boolean[] wall = new boolean[way.length];
      for (int cell = 0; cell < wall.length; cell++) {
        wall[cell] = random.nextDouble() < walls && !way[cell] && cell != start;
      }
      return new Walk(this, wall, goal, start);
    }

    @Override
    public Map<String, Aggregation> aggregations() {
      return Map.of("success", Aggregation.LAST);
    }

    /** The cell an action leads to; the same one at the border. */
    int next(int cell, int action) {
      int row = Math.clamp(cell / size + (action == 1 ? 1 : action == 3 ? -1 : 0), 0, size - 1);
      int column = Math.clamp(cell % size + (action == 2 ? 1 : action == 0 ? -1 : 0), 0, size - 1);
      return row * size + column;
    }
  }

  /** One episode, with all of its state. */
  private static final class Walk implements Episode {
    private final Mazes mazes;
    private final boolean[] wall;
    private final int goal;
    private int position;
    private int steps;

    Walk(Mazes mazes, boolean[] wall, int goal, int start) {
      this.mazes = mazes;
      this.wall = wall;
      this.goal = goal;
      this.position = start;
    }

    @Override
    public String observation() {
      StringBuilder text = new StringBuilder();
      for (int cell = 0; cell < wall.length; cell++) {
        text.append(cell > 0 && cell % mazes.size == 0 ? "\n" : "");
        text.append(cell == position ? 'P' : cell == goal ? 'G' : wall[cell] ? 'O' : '_');
      }
      return text.toString();
    }

    @Override
    public List<String> actions() {
      return ACTIONS;
    }

    @Override
    public String respond(String action) {
      return action;
    }

    /** Takes the agent's whole response: whatever it says, the world goes on. */
    @Override
    public Step step(String response) {
      int action = ACTIONS.indexOf(response.strip());
      int next = action < 0 ? position : mazes.next(position, action);
      position = wall[next] ? position : next;
      boolean success = position == goal;
      boolean late = ++steps >= mazes.maxSteps && !success;
      Map<String, Double> metrics =
          Map.of("success", success ? 1.0 : 0.0, "action_is_valid", action < 0 ? 0.0 : 1.0);
      return new Step(observation(), success ? 1 : 0, success, late, metrics);
    }

    /** A picture for people: a run makes animations of them. */
    @Override
    public BufferedImage render() {
      int width = mazes.size * 32;
      BufferedImage image = new BufferedImage(width, width, BufferedImage.TYPE_INT_RGB);
      Graphics2D g = image.createGraphics();
      for (int cell = 0; cell < wall.length; cell++) {
        g.setColor(wall[cell] ? Color.GRAY : cell == goal ? Color.ORANGE : Color.WHITE);
        g.setColor(cell == position ? Color.BLUE : g.getColor());
        g.fillRect(cell % mazes.size * 32, cell / mazes.size * 32, 31, 31);
      }
      g.dispose();
      return image;
    }
  }
}
