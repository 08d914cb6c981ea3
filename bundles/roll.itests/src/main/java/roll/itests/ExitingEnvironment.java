package roll.itests;

import java.util.List;
import java.util.Map;
import roll.api.env.Environment;
import roll.api.env.Episode;
import roll.api.env.Scenario;
import roll.api.env.Step;
import roll.api.option.Options;

/** An environment that calls System.exit in the first step of three in four episodes. */
public final class ExitingEnvironment implements Environment, Episode {
  private final boolean exits;
  private final boolean byReflection;

  /** Creates the service. */
  public ExitingEnvironment() {
    this(false, false);
  }

  private ExitingEnvironment(boolean exits, boolean byReflection) {
    this.exits = exits;
    this.byReflection = byReflection;
  }

  @Override
  public String description() {
    return "exits";
  }

  @Override
  public Scenario configure(Options options) {
    return Scenario.of(
        "",
        seed -> {
          long kind = seed / 16 % 4;
          return new ExitingEnvironment(kind < 3, kind == 0);
        });
  }

  @Override
  public String observation() {
    return "P_G_";
  }

  @Override
  public List<String> actions() {
    return List.of("Left", "Right");
  }

  @Override
  public Step step(String response) {
    if (exits && byReflection) {
      reflect();
    } else if (exits) {
      System.exit(66);
    }
    return new Step("P_G_", response.length() % 2, true, false, Map.of());
  }

  private static void reflect() {
    try {
      System.class.getMethod("exit", int.class).invoke(null, 66);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
